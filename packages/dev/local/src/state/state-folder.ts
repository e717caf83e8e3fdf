import { chmod, mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ConfigError } from '@taproom/service'
import { sharedBecause } from './private-folder.ts'

/** Where the state of one system lies. */
export interface StateFolder {
  readonly path: string
  readonly keys: string
  readonly database: string
  readonly kafka: string
  /** What was made through the resource API. */
  readonly resources: string
  /** Who may write through the resource API from elsewhere holds it; there only where others reach that API. */
  readonly kubeToken: string
  readonly compileCache: string
  readonly lock: string
}

/** The database and what SQLite puts beside it. */
const databaseSuffixes = ['', '-wal', '-shm', '-journal']

/** The paths below a state folder. */
export function stateFolder(path: string): StateFolder {
  return {
    path,
    keys: join(path, 'keys'),
    database: join(path, 'movies.sqlite'),
    kafka: join(path, 'kafka'),
    resources: join(path, 'resources.json'),
    kubeToken: join(path, 'kube-token'),
    compileCache: join(path, 'compile-cache'),
    lock: join(path, 'lock'),
  }
}

/**
 * Creates the folder, readable by its owner alone, because it holds private keys. One that is there already is made so, too, unless it
 * holds other files.
 *
 * @throws ConfigError when it cannot be created or written to, or when others may write to it
 */
export async function createStateFolder(folder: StateFolder): Promise<void> {
  const { path } = folder
  try {
    await makeFolder(path)
    if (await holdsStateOnly(folder)) await chmod(path, 0o700)
    const reason = await sharedBecause(path)
    if (reason !== undefined) throw new Error(`the folder ${reason}: set it to a folder of your own`)
    await rmdir(await mkdtemp(join(path, 'probe-')))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = (code !== undefined && reasons[code]) || message
    throw new ConfigError([`TAPROOM_STATE_DIR="${path}": ${reason}`])
  }
}

const noFolder = 'it, or a folder above it, is a file: set it to a folder'
const noPermission = 'no permission to write there: set it to a folder of your own'
const reasons: Readonly<Record<string, string>> = {
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'the file system is read-only: set it to a folder that can be written to',
  ENOENT: 'no folder can be created there: set it to another one',
  ENAMETOOLONG: 'the path is too long: set it to a shorter one',
}

async function holdsStateOnly({
  path,
  keys,
  database,
  kafka,
  resources,
  kubeToken,
  compileCache,
  lock,
}: StateFolder): Promise<boolean> {
  const databases = databaseSuffixes.map((suffix) => database + suffix)
  const own = new Set(
    [
      keys,
      ...databases,
      kafka,
      resources,
      `${resources}.refused`,
      kubeToken,
      compileCache,
      lock,
      controlSocket(path),
    ].map((file) => basename(file)),
  )
  const isOurs = (await stat(path)).uid === process.getuid?.()
  return isOurs && (await readdir(path)).every((name) => own.has(name))
}

/** Where a state folder has its control socket, if its path is short enough. */
export function controlSocket(path: string): string {
  return join(path, 'control.sock')
}

/** Not by the recursive mkdir of Node, which never ends where a file system refuses new folders with ENOENT, as /proc does. */
async function makeFolder(path: string, mayMakeParent = true): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || !mayMakeParent || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeFolder(path, false)
  }
}

/**
 * Forgets what earlier runs left. Removes only what a run makes there by itself, because the folder may be one that holds other files, too; the
 * lock is the caller's, and compiled code is no state. Only for the holder of the lock.
 */
export async function emptyStateFolder({
  path,
  keys,
  database,
  kafka,
  resources,
  kubeToken,
}: StateFolder): Promise<void> {
  const files = [
    join(keys, 'private-key.pem'),
    join(keys, 'public-key.pem'),
    ...databaseSuffixes.map((suffix) => database + suffix),
    resources,
    `${resources}.new`,
    `${resources}.refused`,
    kubeToken,
    controlSocket(path),
  ]
  for (const file of files) await rm(file, { force: true })
  await rm(kafka, { recursive: true, force: true })
  await removeIfEmpty(keys)
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) throw error
  }
}
