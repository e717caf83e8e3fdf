import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APACHE_VERSION } from '../apache-kafka.ts'
import { needProgram, runProgram } from '../program.ts'
import { LeftOutError, type SuiteRun } from '../suite.ts'

const DOWNLOAD_MS = 600_000
const TOOL_MS = 120_000

/** Gets Apache Kafka's jars, with Maven. @throws {LeftOutError} */
export async function prepareJars(folder: string): Promise<void> {
  await needProgram('java', ['-version'], { timeoutMs: TOOL_MS })
  const pom = fileURLToPath(new URL('../../java/pom.xml', import.meta.url))
  const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'jars')}`]
  const args = ['-q', '-B', '-f', pom, `-Dkafka.version=${APACHE_VERSION}`, ...copy]
  const { code, stdout } = await runProgram('mvn', args, { timeoutMs: DOWNLOAD_MS })
  if (code === 0) return
  const problem = stdout.split('\n').find((line) => line.includes('ERROR'))
  throw new LeftOutError(`Kafka's jars cannot be had: ${problem ?? 'no answer'}`)
}

/** Arguments of `java` for a main class of the jars, or for a program in the folder `java`. */
export function javaArgs(folder: string, main: string): readonly string[] {
  const source = main.endsWith('.java') ? fileURLToPath(new URL(`../../java/${main}`, import.meta.url)) : main
  const logging = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'
  return ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', logging, '-cp', join(folder, 'jars', '*'), source]
}

/** Runs a program of the jars to its end and gives what it printed to both streams. @throws {Error} when it fails */
export async function runJava(
  { folder, log }: SuiteRun,
  main: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const options = { cwd: folder, log, timeoutMs: TOOL_MS, ...(input !== undefined && { input }) }
  const { code, stdout, stderr } = await runProgram('java', [...javaArgs(folder, main), ...args], options)
  if (code !== 0) throw new Error(`${main} ended with ${code}: ${`${stdout}${stderr}`.trim().slice(0, 2000)}`)
  return `${stdout}${stderr}`
}
