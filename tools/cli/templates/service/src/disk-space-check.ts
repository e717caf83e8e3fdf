import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { HealthCheck } from '@taproom/health'

/** Readiness: DOWN with less free space than the threshold where temporary files are. */
export function diskSpaceCheck(thresholdBytes: number): HealthCheck {
  return {
    name: 'Disk space',
    async check() {
      const { bavail, bsize } = await statfs(tmpdir())
      const freeBytes = bavail * bsize
      return { status: freeBytes >= thresholdBytes ? 'UP' : 'DOWN', data: { freeBytes, thresholdBytes } }
    },
  }
}
