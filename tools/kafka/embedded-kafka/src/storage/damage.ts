import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Called with the damaged file and its new place. */
export type OnDamage = (message: string) => void

/** Sets damaged files aside: the broker starts without them, and they can be looked at. */
export interface Damage {
  /** For damage with nothing to set aside. */
  report(message: string): void
  /** Copies a file or folder that is used on without its damaged part. */
  copy(path: string, why: string): void
  /** Moves a file or folder that is not used any more. */
  move(path: string, why: string): void
}

/** Sets them aside in the folder `damaged` of a data directory. */
export function damageOf(dataDir: string, onDamage: OnDamage): Damage {
  const place = (path: string): string => {
    const folder = join(dataDir, 'damaged')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return join(folder, `${Date.now()}-${basename(path)}`)
  }
  return {
    report: onDamage,
    copy(path, why) {
      const kept = place(path)
      cpSync(path, kept, { recursive: true })
      onDamage(`${path}: ${why}; a copy as it was is ${kept}`)
    },
    move(path, why) {
      const kept = place(path)
      renameSync(path, kept)
      onDamage(`${path}: ${why}; it is now ${kept}`)
    },
  }
}

/** Data in memory is never found damaged. */
export const NO_DAMAGE: Damage = { report: () => {}, copy: () => {}, move: () => {} }
