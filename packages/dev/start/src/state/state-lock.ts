import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

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
    if (holder !== undefined && holder !== pid && (await isRunning(holder))) {
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
    return await linkTo(draft, path)
  } finally {
    await rm(draft)
  }
}

async function writeDraft(path: string, pid: number): Promise<string> {
  const draft = `${path}.${pid}`
  await writeFile(draft, `${pid}\n`, { mode: 0o600 })
  return draft
}

/** Gives a file a second name. Returns false where that name is taken. */
async function linkTo(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
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

/**
 * Puts a lock of this process in the place of a stale one; returns false where another process does so. Only one process at a time has the
 * second name of the lock, so no other replaces the lock that it looks at. There is always a lock, so no process can create one meanwhile.
 */
async function takeOver(path: string, pid: number, stale: number | undefined): Promise<boolean> {
  const second = `${path}.taking`
  try {
    if (!(await linkTo(path, second))) {
      await removeAbandoned(second)
      return false
    }
  } catch (error) {
    // It was released.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  try {
    if ((await readHolder(second)) !== stale) return false
    await rename(await writeDraft(path, pid), path)
    return (await readHolder(path)) === pid
  } finally {
    await rm(second, { force: true })
  }
}

/** Of a process that was killed while it took the lock over, which is a matter of milliseconds. Linking sets `ctime`. */
async function removeAbandoned(second: string): Promise<void> {
  const found = await stat(second).catch(() => undefined)
  if (found !== undefined && Date.now() - found.ctimeMs > ABANDONED_MS) await rm(second, { force: true })
}
