import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the state of one system lies. */
export interface StateFolder {
  readonly path: string
  readonly keys: string
  readonly database: string
  readonly kafka: string
  readonly compileCache: string
  readonly lock: string
}

/** Kept by {@link emptyStateFolder}: the lock is ours, the compiled code is no state. */
const kept = new Set(['lock', 'compile-cache'])

/** The paths below a state folder. */
export function stateFolder(path: string): StateFolder {
  return {
    path,
    keys: join(path, 'keys'),
    database: join(path, 'movies.sqlite'),
    kafka: join(path, 'kafka'),
    compileCache: join(path, 'compile-cache'),
    lock: join(path, 'lock'),
  }
}

/** Creates the folder, readable by its owner alone, because it holds private keys. */
export async function createStateFolder({ path }: StateFolder): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** Forgets everything of earlier runs. Only for the holder of the lock. */
export async function emptyStateFolder({ path }: StateFolder): Promise<void> {
  for (const name of await readdir(path)) {
    if (!kept.has(name)) await rm(join(path, name), { recursive: true, force: true })
  }
}
