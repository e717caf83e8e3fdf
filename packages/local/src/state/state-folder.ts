import { mkdir, mkdtemp, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '@taproom/service'

/** Where the state of one system lies. */
export interface StateFolder {
  readonly path: string
  readonly keys: string
  readonly database: string
  readonly kafka: string
  /** What was made through the resource API. */
  readonly resources: string
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
    compileCache: join(path, 'compile-cache'),
    lock: join(path, 'lock'),
  }
}

/**
 * Creates the folder, readable by its owner alone, because it holds private keys.
 *
 * @throws ConfigError when it cannot be created or written to
 */
export async function createStateFolder({ path }: StateFolder): Promise<void> {
  try {
    await makeFolder(path)
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
export async function emptyStateFolder({ path, keys, database, kafka, resources }: StateFolder): Promise<void> {
  const files = [
    join(keys, 'private-key.pem'),
    join(keys, 'public-key.pem'),
    ...databaseSuffixes.map((suffix) => database + suffix),
    resources,
    `${resources}.new`,
    join(path, 'control.sock'),
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
