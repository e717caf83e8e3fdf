import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Another running system uses the state folder. */
export class StateLockError extends Error {
  override readonly name = 'StateLockError'
  readonly code = 'START_STATE_LOCKED'
}

/** A held lock; disposing of it releases it. */
export interface StateLock extends AsyncDisposable {
  /** Whether the former holder ended without releasing it: its processes may still be ending. */
  readonly recovered: boolean
}

export interface StateLockOptions {
  /** The lock file, which names the process that holds the lock. */
  readonly path: string
  readonly pid: number
  /** Whether that process is a running system: its number may belong to another program by now. */
  isRunning(pid: number): Promise<boolean>
}

/**
 * Takes the lock of a state folder. A lock whose holder no longer runs is taken over.
 *
 * @throws {StateLockError} when a running system holds it
 */
export async function lockState({ path, pid, isRunning }: StateLockOptions): Promise<StateLock> {
  let recovered = false
  while (!(await create(path, pid))) {
    const holder = await readHolder(path)
    if (holder !== undefined && holder !== pid && (await isRunning(holder))) {
      throw new StateLockError(
        `another system runs on ${dirname(path)} (process ${holder}): stop it, or set TAPROOM_STATE_DIR to another folder, ` +
          'and PORT, KUBE_PORT and KAFKA_PORT to other ports',
      )
    }
    await removeStale(path, holder)
    recovered = true
  }
  return {
    recovered,
    async [Symbol.asyncDispose]() {
      if ((await readHolder(path)) === pid) await rm(path, { force: true })
    },
  }
}

/** The file appears with its content: there is no moment with an empty lock. */
async function create(path: string, pid: number): Promise<boolean> {
  const draft = `${path}.${pid}`
  await writeFile(draft, `${pid}\n`, { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft)
  }
}

async function readHolder(path: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(path, 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** When two processes find the same stale lock, the second must not remove the lock that the first has taken by then. */
async function removeStale(path: string, holder: number | undefined): Promise<void> {
  const aside = `${path}.stale.${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = await readHolder(aside)
  if (moved === holder) await rm(aside, { force: true })
  else await rename(aside, path)
}
