import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlSocket } from '../state/state-folder.ts'

/** A longer path is cut or refused by the operating system (sun_path holds 104 to 108 bytes). */
const maxSocketPath = 100

/**
 * The Unix socket through which the system of a state folder is controlled: in that folder, or, if its path is too long for that, in
 * one folder for all systems of this user, among the temporary files. Whoever uses it looks first whether its folder is this user's own.
 */
export function controlSocketPath(stateDir: string): string {
  const path = controlSocket(stateDir)
  if (Buffer.byteLength(path) <= maxSocketPath) return path
  const name = `${createHash('sha256').update(stateDir).digest('hex').slice(0, 32)}.sock`
  const user = `taproom-${process.getuid?.() ?? 'user'}`
  const short = join(tmpdir(), user, name)
  return Buffer.byteLength(short) <= maxSocketPath ? short : join('/tmp', user, name)
}
