import { describe, expect, it } from 'vitest'
import { factsOf, NOW } from '../../tests/fixtures/facts.ts'
import { tokenVerdicts } from './token-verdicts.ts'

const MINUTE = 60_000

/** The problems of refusals, for each the fields of its line. */
function problemsOf(...refusals: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const lines = refusals.map((fields) => ({ service: 'shop', log: 'security', msg: 'request refused', ...fields }))
  return tokenVerdicts(factsOf({ lines })).map(({ problem }) => problem)
}

describe('verdicts of tokens', () => {
  it('say what is wrong, as the answer to the caller does', () => {
    expect(problemsOf({ reason: 'malformed' }, { reason: 'malformed' })).toEqual([
      'shop refused 2 tokens in the last minute: the token is not a signed JWT in compact form',
    ])
  })

  it('are of the last minute', () => {
    const old = { reason: 'expired', time: NOW - MINUTE - 1 }
    expect(problemsOf(old, { reason: 'expired' })).toEqual([
      'shop refused 1 token in the last minute: the token has expired',
    ])
  })

  it.each(['no_token', 'constructor', 'toString', { toString: 'none' }, ['expired'], undefined])(
    'are none for the reason %j',
    (reason) => {
      expect(problemsOf({ reason })).toEqual([])
    },
  )
})
