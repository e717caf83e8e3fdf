import { isAlive } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { makeSurroundings, runPatientStart, runStart, type StartRun, waitUntilReady } from './fixtures/system.ts'

describe('the end of pnpm start', () => {
  /** Ends a system by a signal once it is ready, and gives its exit code when no process of it is left. */
  async function endBy(signal: NodeJS.Signals, start: StartRun): Promise<number | null> {
    await waitUntilReady(start)
    const pids = Array.from(start.stderr().matchAll(/ ready +(\d+)$/gm), ([, pid]) => Number(pid))
    expect(pids.length).toBeGreaterThanOrEqual(9)
    start.signal(signal)
    const code = await start.exit
    await waitFor('the end of all', () => !pids.some(isAlive))
    return code
  }

  it('leaves no process behind when it is killed; the next start takes its state over and ends in order on Ctrl-C', async () => {
    await using place = await makeSurroundings()
    expect(await endBy('SIGKILL', runStart(place.variables))).toBeNull()
    const next = runPatientStart(place.variables)
    expect(await endBy('SIGINT', next)).toBe(0)
    expect(next.stderr()).toMatch(/\nstopping; .*\nstopped\n$/)
  })
})
