import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { expect, inject } from 'vitest'

/** The jars of the Java client, and of Kafka Streams, as for `java -cp`: CI's to bring; '' where there are none. */
export const CLASSPATH = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''

/** For programs that run for seconds: half the processor time. */
const BRIEF = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto']

/**
 * Runs one of the programs in `java`, which has to come to its end, and gives what it printed; `onOutput` gets it piece by piece, as it
 * comes.
 */
export async function runJava(
  program: string,
  bootstrapServers: string,
  { more = [], onOutput }: { readonly more?: readonly string[]; readonly onOutput?: (text: string) => void } = {},
): Promise<string> {
  const classes = [CLASSPATH, inject('javaClasses')].join(delimiter)
  const child = spawn(process.env['JAVA'] ?? 'java', [...BRIEF, '-cp', classes, program, bootstrapServers, ...more])
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk)
    onOutput?.(chunk.toString())
  })
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const printed = Buffer.concat(output).toString()
  expect(printed).toContain('java client done')
  expect(code).toBe(0)
  return printed
}
