import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needProgram, runProgram } from './program.ts'
import { LeftOutError, type SuiteRun } from './suite.ts'

/** The release of Apache Kafka that is run, and that the tools are of. */
export const APACHE_VERSION = '4.1.2'

const DOWNLOAD_MS = 600_000
const TOOL_MS = 120_000

let classpath: Promise<string> | undefined

/** Apache Kafka's jars, which Maven gets once: broker, tools, Streams and Connect. @throws {LeftOutError} without Java and Maven */
export function kafkaClasspath(): Promise<string> {
  classpath ??= downloadJars()
  return classpath
}

async function downloadJars(): Promise<string> {
  await needProgram('java', ['-version'], { timeoutMs: TOOL_MS })
  const folder = await mkdtemp(join(tmpdir(), 'taproom-classpath-'))
  const file = join(folder, 'classpath')
  try {
    const pom = fileURLToPath(new URL('../java/pom.xml', import.meta.url))
    const build = ['dependency:build-classpath', '-DincludeScope=runtime', `-Dmdep.outputFile=${file}`]
    const args = ['-q', '-B', '-f', pom, `-Dkafka.version=${APACHE_VERSION}`, ...build]
    const { code, stdout } = await runProgram('mvn', args, { timeoutMs: DOWNLOAD_MS })
    if (code === 0) return (await readFile(file, 'utf8')).trim()
    const problem = stdout.split('\n').find((line) => line.includes('ERROR'))
    throw new LeftOutError(`Kafka's jars cannot be had: ${problem ?? 'no answer'}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Arguments of `java` for a main class of the jars, or for a program in the folder `java`. @throws {LeftOutError} without the jars */
export async function javaArgs(main: string, args: readonly string[]): Promise<readonly string[]> {
  const source = main.endsWith('.java') ? fileURLToPath(new URL(`../java/${main}`, import.meta.url)) : main
  const logging = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'
  const brief = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
  return [...brief, logging, '-cp', await kafkaClasspath(), source, ...args]
}

/** Runs a program of the jars to its end and gives what it printed to both streams. @throws {Error} when it fails */
export async function runJava(
  { folder, log }: SuiteRun,
  main: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const options = { cwd: folder, log, timeoutMs: TOOL_MS, ...(input !== undefined && { input }) }
  const { code, stdout, stderr } = await runProgram('java', await javaArgs(main, args), options)
  if (code !== 0) throw new Error(`${main} ended with ${code}: ${`${stdout}${stderr}`.trim().slice(0, 2000)}`)
  return `${stdout}${stderr}`
}
