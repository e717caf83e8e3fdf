import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** The jars of the Java client, and of Kafka Streams, as for `java -cp`: CI's to bring; '' where there are none. */
export const CLASSPATH = process.env['KAFKA_CLIENTS_CLASSPATH'] ?? ''

/** Runs one of the programs in `java`, which has to come to its end, and gives what it printed. */
export async function runJava(
  program: string,
  bootstrapServers: string,
  more: readonly string[] = [],
): Promise<string> {
  const path = fileURLToPath(new URL(`./java/${program}.java`, import.meta.url))
  const child = spawn(process.env['JAVA'] ?? 'java', ['-cp', CLASSPATH, path, bootstrapServers, ...more])
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const printed = Buffer.concat(output).toString()
  expect(printed).toContain('java client done')
  expect(code).toBe(0)
  return printed
}
