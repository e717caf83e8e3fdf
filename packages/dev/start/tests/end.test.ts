import { isAlive } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { makeSurroundings, runStart, type Variables, waitUntilReady } from './fixtures/system.ts'

describe('the end of pnpm start', () => {
  /** Starts a system, ends it by a signal, and gives its exit code once no process of it is left. */
  async function endBy(signal: NodeJS.Signals, variables: Variables): Promise<number | null> {
    const start = runStart(variables)
    await waitUntilReady(start)
    const pids = Array.from(start.stderr().matchAll(/ ready +(\d+)$/gm), ([, pid]) => Number(pid))
    expect(pids.length).toBeGreaterThanOrEqual(9)
    start.signal(signal)
    const code = await start.exit
    await waitFor('the end of all', () => !pids.some(isAlive))
    if (signal !== 'SIGKILL') {
      // It ends itself by SIGKILL, without an exit code, when it is not done in 4.8 s.
      expect(code).not.toBeNull()
      expect(start.stderr()).toMatch(/\nstopping; .*\nstopped\n$/)
    }
    return code
  }

  it('leaves no process behind when it is killed; the next start takes its state over and ends in order on Ctrl-C', async () => {
    await using place = await makeSurroundings()
    expect(await endBy('SIGKILL', place.variables)).toBeNull()
    expect(await endBy('SIGINT', place.variables)).toBe(0)
  })
})
