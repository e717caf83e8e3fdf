import { describe, expect, it } from 'vitest'
import { endBy } from './fixtures/end-by.ts'
import { makeSurroundings, runPatientStart } from './fixtures/system.ts'

describe('the end of pnpm start of a small system', () => {
  it('leaves no process behind when it is killed; the next start takes its state over and ends in order on Ctrl-C', async () => {
    await using place = await makeSurroundings()
    // The gateway and claim-api.
    const variables = { ...place.variables, CONSOLE_ENABLED: 'false' }
    expect(await endBy('SIGKILL', runPatientStart(variables, 'claim-api'))).toEqual({ code: null, processes: 2 })
    const next = runPatientStart(variables, 'claim-api')
    expect(await endBy('SIGINT', next)).toEqual({ code: 0, processes: 2 })
    expect(next.stderr()).toMatch(/\nstopping; .*\nstopped\n$/)
  })
})
