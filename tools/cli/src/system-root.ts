import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What describes a system. */
export const SYSTEM_FILE = 'system.ts'

/** The folder of the system that a folder belongs to: the nearest one upwards with a `system.ts`; undefined when there is none. */
export function findRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, SYSTEM_FILE))) return folder
    if (folder === dirname(folder)) return undefined
  }
}
