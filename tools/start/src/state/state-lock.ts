import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The holder of a lock that names no process. */
const BROKEN = 0
const TAKING_MS = 10
const ABANDONED_MS = 10_000

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
    if (holder === undefined) continue
    if (holder !== BROKEN && holder !== pid && (await isRunning(holder))) {
      throw new StateLockError(
        `another system runs on ${dirname(path)} (process ${holder}): stop it, or set TAPROOM_STATE_DIR to another folder, ` +
          'and PORT, KUBE_PORT and KAFKA_PORT to other ports',
      )
    }
    recovered = true
    if (await takeOver(path, pid, holder)) break
    // Another process is taking it over.
    await pause(TAKING_MS)
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
  const draft = await writeDraft(path, pid)
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

async function writeDraft(path: string, pid: number): Promise<string> {
  const draft = `${path}.${pid}`
  await writeFile(draft, `${pid}\n`, { mode: 0o600 })
  return draft
}

/** The process that a lock names; undefined without a lock, {@link BROKEN} where it names none. */
async function readHolder(path: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(path, 'utf8'), 10)
    return pid > 0 ? pid : BROKEN
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Puts a lock of this process in the place of a stale one, in one step: without a lock another process could create one. Returns false where
 * another process is taking it over, or has done so: a second lock is held meanwhile.
 */
async function takeOver(path: string, pid: number, stale: number): Promise<boolean> {
  const taking = `${path}.taking`
  if (!(await create(taking, pid))) {
    await removeAbandoned(taking)
    return false
  }
  try {
    if ((await readHolder(path)) !== stale) return false
    await rename(await writeDraft(path, pid), path)
    return true
  } finally {
    await rm(taking, { force: true })
  }
}

/** Removes the second lock of a process that was killed while it had it, which is for milliseconds. */
async function removeAbandoned(taking: string): Promise<void> {
  const found = await stat(taking).catch(() => undefined)
  if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(taking, { force: true })
}
