import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

const TEN_MINUTES_MS = 600_000

/** Another one after each start of the machine; where the system does not name its starts, sometimes without one, too. */
export function currentBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Not Linux: by the time of the start, which is not exact.
    return String(Math.round((Date.now() - uptime() * 1000) / TEN_MINUTES_MS))
  }
}
