import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A longer path is cut or refused by the operating system (sun_path holds 104 to 108 bytes). */
const maxSocketPath = 100

/** The Unix socket through which the system of a state folder is controlled. */
export function controlSocketPath(stateDir: string): string {
  const path = join(stateDir, 'control.sock')
  if (Buffer.byteLength(path) <= maxSocketPath) return path
  return join(tmpdir(), `taproom-${createHash('sha256').update(stateDir).digest('hex').slice(0, 16)}.sock`)
}
