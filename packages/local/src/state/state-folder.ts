import { mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

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

/** Creates the folder, readable by its owner alone, because it holds private keys. */
export async function createStateFolder({ path }: StateFolder): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
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
