import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlSocket } from '../state/state-folder.ts'

/** A longer path is cut or refused by the operating system (sun_path holds 104 to 108 bytes). */
const MAX_SOCKET_PATH = 100

/**
 * The Unix socket that controls the system of a state folder. It lies in that folder or, where its path would be too long, in a folder
 * for all systems of this user among the temporary files: before using it, check that its folder is this user's own.
 */
export function controlSocketPath(stateDir: string): string {
  const path = controlSocket(stateDir)
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path
  const name = `${createHash('sha256').update(stateDir).digest('hex').slice(0, 32)}.sock`
  const user = `taproom-${process.getuid?.() ?? 'user'}`
  const short = join(tmpdir(), user, name)
  return Buffer.byteLength(short) <= MAX_SOCKET_PATH ? short : join('/tmp', user, name)
}
