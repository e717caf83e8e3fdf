import { createHash, type Hash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rootCause } from '@taproom/core/lines'
import { run } from '@taproom/processes'
import { LeftOutError } from '../area.ts'

const SOURCES = fileURLToPath(new URL('../../../peers/quarkus/', import.meta.url))
const CACHE = join(homedir(), '.cache', 'taproom-bench')
/** Enough for the first time, with all downloads. */
const MAKE_MS = 30 * 60_000

/** A service of the peer. */
export type QuarkusService = 'claim' | 'movie' | 'stream'

export interface MadeQuarkus {
  /** The Java that made it, and that its archives of classes are for. */
  readonly java: string
  /** Where `quarkus-run.jar` of a service is. */
  folderOf(service: QuarkusService): string
}

interface MakeOptions {
  /** Where what was made is kept, outside the checkout. */
  readonly cache?: string
  readonly sources?: string
  readonly maven?: string
}

/**
 * The Quarkus services, made by Maven when it is the first time for these sources and this Java.
 *
 * @throws {LeftOutError} when they cannot be made here
 */
export async function makeQuarkus({ cache = CACHE, sources = SOURCES, maven = 'mvn' }: MakeOptions = {}) {
  const java = await javaOf(maven)
  const folder = join(cache, `quarkus-${await keyOf(sources, java.version)}`)
  if (!(await exists(folder))) await make(folder, sources, maven)
  const made: MadeQuarkus = {
    java: join(java.home, 'bin/java'),
    folderOf: (service) => join(folder, service, 'target/quarkus-app'),
  }
  return made
}

/** The Java that Maven runs with: the one of `JAVA_HOME`, or on the path. */
async function javaOf(maven: string): Promise<{ readonly version: string; readonly home: string }> {
  const { stdout: said } = await run(maven, ['--batch-mode', '--version']).catch((error: unknown) => {
    const cause = rootCause(error)
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new LeftOutError(isMissing ? `there is no ${maven}` : reasonOf(error), { cause: error })
  })
  const [version, home] = /^Java version: .*, runtime: (.*)$/m.exec(said) ?? []
  if (version === undefined || home === undefined) throw new LeftOutError(`${maven} does not say where its Java is`)
  return { version, home }
}

/** Made beside its place, which it gets when all went well: what is in the place is complete. */
async function make(folder: string, sources: string, maven: string): Promise<void> {
  const making = `${folder}.${process.pid}`
  try {
    await mkdir(making, { recursive: true })
    await cp(sources, making, { recursive: true })
    await run(maven, ['--batch-mode', '--quiet', 'package'], { cwd: making, timeout: MAKE_MS })
    await rename(making, folder)
  } catch (error) {
    throw new LeftOutError(`Maven could not make Quarkus: ${reasonOf(error)}`, { cause: error })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** The first line of Maven's errors. */
function reasonOf(error: unknown): string {
  const { stdout = '', stderr = '', message = String(error) } = error as Partial<Record<string, string>>
  const [, reason] = /^\[ERROR\] (.+)$/m.exec(stdout) ?? []
  return reason ?? stderr.trim().split('\n').at(-1) ?? message
}

/** Changes with any file of the sources, and with the Java. */
async function keyOf(sources: string, javaVersion: string): Promise<string> {
  const hash = createHash('sha256').update(javaVersion)
  await addFiles(hash, sources, '')
  return hash.digest('hex').slice(0, 16)
}

async function addFiles(hash: Hash, folder: string, path: string): Promise<void> {
  const entries = await readdir(join(folder, path), { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isDirectory())) await addFiles(hash, folder, join(path, name))
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const file = join(path, name)
    hash.update(`\0${file}\0`).update(await readFile(join(folder, file)))
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}
