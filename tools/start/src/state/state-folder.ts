import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ConfigError } from '@taproom/service'
import { sharedBecause } from './private-folder.ts'

const CONTROL_SOCKET = 'control.sock'
const CONSOLE_PAGE = 'console.html'

export interface StateFolder {
  readonly path: string
  readonly keys: string
  readonly lock: string
  /** Names of files and folders that the services keep here. */
  readonly keeps: readonly string[]
  /** Path of one of them. @throws {RangeError} when the name is not among `keeps`: `--fresh` would not forget it */
  kept(name: string): string
}

/** Its paths; touches no file. */
export function stateFolder(path: string, keeps: readonly string[]): StateFolder {
  return {
    path,
    keys: join(path, 'keys'),
    lock: join(path, 'lock'),
    keeps,
    kept(name) {
      if (!keeps.includes(name)) throw new RangeError(`${name} is not among what the system keeps: ${keeps.join(', ')}`)
      return join(path, name)
    },
  }
}

/**
 * Creates the folder, readable by its owner alone, because it holds private keys. A folder that exists is made so, too, unless it holds
 * other files.
 *
 * @throws {ConfigError} when it cannot be created or written to, or other users may write to it
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
    const reason = (code !== undefined && REASONS[code]) || message
    throw new ConfigError([`TAPROOM_STATE_DIR="${path}": ${reason}`])
  }
}

const NO_FOLDER = 'it, or a folder above it, is a file: set it to a folder'
const NO_PERMISSION = 'no permission to write there: set it to a folder of your own'
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: 'the file system is read-only: set it to a folder that can be written to',
  ENOENT: 'no folder can be created there: set it to another one',
  ENAMETOOLONG: 'the path is too long: set it to a shorter one',
}

/** SQLite and the event platform put these behind the name of a file. */
const BESIDE = /(?:-wal|-shm|-journal|\.new|\.refused(?:-[\w.]+)?)$/

async function holdsStateOnly(folder: StateFolder): Promise<boolean> {
  const { path, keys, lock } = folder
  const own = new Set([CONTROL_SOCKET, CONSOLE_PAGE, ...[keys, lock].map((file) => basename(file))])
  const isOurs = (await stat(path)).uid === process.getuid?.()
  return isOurs && (await readdir(path)).every((name) => own.has(name) || isKept(name, folder))
}

/** Also the files that SQLite and careful writers put beside what a service keeps: `orders.sqlite-wal`, `resources.json.new`. */
function isKept(name: string, { keeps }: StateFolder): boolean {
  return keeps.includes(name.replace(BESIDE, ''))
}

/** A longer path is cut or refused by the operating system (sun_path holds 104 to 108 bytes). */
const MAX_SOCKET_PATH = 100

/**
 * The Unix socket that controls the system of a state folder. It lies in that folder or, where its path would be too long, in a folder
 * for all systems of this user among the temporary files: before using it, check that its folder is this user's own.
 */
export function controlSocketPath(stateDir: string): string {
  const path = join(stateDir, CONTROL_SOCKET)
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path
  const name = `${createHash('sha256').update(stateDir).digest('hex').slice(0, 32)}.sock`
  const user = `taproom-${process.getuid?.() ?? 'user'}`
  const short = join(tmpdir(), user, name)
  return Buffer.byteLength(short) <= MAX_SOCKET_PATH ? short : join('/tmp', user, name)
}

/** A page that leads a browser to the console; it has the secret of the last start. */
export function consolePagePath(stateDir: string): string {
  return join(stateDir, CONSOLE_PAGE)
}

/** Like mkdir with `recursive`, which never ends where a file system refuses new folders with ENOENT, as /proc does. */
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
 * Forgets what earlier runs left; the caller holds the lock. Removes only what a run makes itself, because the folder may hold other
 * files, and not the lock.
 */
export async function emptyStateFolder(folder: StateFolder): Promise<void> {
  const { path, keys } = folder
  const own = [CONTROL_SOCKET, CONSOLE_PAGE].map((name) => join(path, name))
  for (const file of [join(keys, 'private-key.pem'), join(keys, 'public-key.pem'), ...own]) {
    await rm(file, { force: true })
  }
  const kept = (await readdir(path)).filter((name) => isKept(name, folder))
  for (const name of kept) await rm(join(path, name), { recursive: true, force: true })
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
