import { describe, expect, it } from 'vitest'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { type Identity, NOTHING } from './sasl/exchange.ts'
import { ClientSession } from './session.ts'

const METADATA_KEY = 3

/** With one mechanism, which lets everybody in as this. */
function sessionOf(identity: Identity, maxReauthMs: number) {
  const clock = { ms: 1_000_000 }
  const mechanism = { name: 'ANY', start: () => ({ evaluate: () => ({ answer: NOTHING, identity }) }) }
  const settings = { mechanisms: [mechanism], failureDelayMs: 0, maxReceiveBytes: 1024, maxReauthMs: () => maxReauthMs }
  return { clock, session: new ClientSession(settings, { now: () => clock.ms }) }
}

async function login(session: ClientSession) {
  const { errorCode } = session.handshake('ANY', 1)
  return errorCode === 0 ? (await session.authenticate(NOTHING)).sessionLifetimeMs : undefined
}

// KIP-368: the shorter of both counts.
describe('a session', () => {
  it.each([
    ['nothing ends', {}, 0, 0],
    ['the broker ends', {}, 5000, 5000],
    ['the token ends', { expiresAtMs: 1_003_000 }, 0, 3000],
    ['the token ends first', { expiresAtMs: 1_003_000 }, 5000, 3000],
    ['the broker ends first', { expiresAtMs: 1_009_000 }, 5000, 5000],
  ])('that %s', async (_what, more, maxReauthMs, lifetimeMs) => {
    const { session, clock } = sessionOf({ name: 'alice', ...more }, maxReauthMs)
    expect(await login(session)).toBe(lifetimeMs)
    expect(session.principal).toBe('User:alice')
    clock.ms += lifetimeMs === 0 ? 2 ** 40 : lifetimeMs - 1
    expect(() => session.admit(METADATA_KEY)).not.toThrow()
    if (lifetimeMs === 0) return
    clock.ms += 1
    expect(() => session.admit(METADATA_KEY)).toThrow('the session of User:alice has ended')
    expect(() => session.admit(API_VERSIONS.SaslHandshake.key)).not.toThrow()
    expect(await login(session)).toBeDefined()
  })

  it('is renewed once a second at most', async () => {
    const { session, clock } = sessionOf({ name: 'alice' }, 60_000)
    await login(session)
    expect(await login(session)).toBe(60_000)
    clock.ms += 999
    expect(await login(session)).toBeUndefined()
    clock.ms += 1
    expect(await login(session)).toBe(60_000)
  })

  it('takes nothing but SASL and one question for versions before', () => {
    const { session } = sessionOf({ name: 'alice' }, 0)
    expect(() => session.admit(METADATA_KEY)).toThrow('before the client has authenticated')
    for (const key of [API_VERSIONS.SaslHandshake.key, API_VERSIONS.SaslAuthenticate.key, 18])
      expect(() => session.admit(key)).not.toThrow()
    session.handshake('ANY', 1)
    expect(() => session.admit(18)).toThrow('before the client has authenticated')
  })
})
