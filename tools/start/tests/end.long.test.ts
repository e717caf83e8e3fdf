import { describe, expect, it } from 'vitest'
import { endBy } from './fixtures/end-by.ts'
import { makeSurroundings, runPatientStart, runStart } from './fixtures/system.ts'

describe('the end of pnpm start', () => {
  it('leaves no process behind when it is killed; the next start takes its state over and ends in order on Ctrl-C', async () => {
    await using place = await makeSurroundings()
    const killed = await endBy('SIGKILL', runStart(place.variables))
    expect(killed.code).toBeNull()
    expect(killed.processes).toBeGreaterThanOrEqual(9)
    const next = runPatientStart(place.variables)
    const ended = await endBy('SIGINT', next)
    expect(ended.code).toBe(0)
    expect(ended.processes).toBeGreaterThanOrEqual(9)
    expect(next.stderr()).toMatch(/\nstopping; .*\nstopped\n$/)
  })
})
