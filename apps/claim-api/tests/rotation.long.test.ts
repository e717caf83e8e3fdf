import { createDevIssuer, type DevIssuer } from '@taproom/jwt/testing'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startClaimService } from './claim-service.ts'

const MINUTE = 60_000

/** How often the keys are read when their host says nothing else. */
const REFRESH = 5 * MINUTE
const LIFETIME_SECONDS = 300

afterEach(() => {
  vi.useRealTimers()
})

/** claim-api, the host of its keys, and clients that ask without a pause. Time passes only when the test says so. */
async function startRotation(first: DevIssuer) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const resources = new AsyncDisposableStack()
  let published = [first]
  let signer = first
  let tokens: { readonly text: string; readonly endsAt: number }[] = []
  const answers = new Map<string, number>()
  const keyHost = resources.use(
    await startHttpServer((_req, res) => res.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }))),
  )
  const service = resources.use(
    await startClaimService({
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: `${keyHost.url}/keys`,
      MP_JWT_VERIFY_ISSUER: first.issuer,
    }),
  )
  /** Status, and why a token is refused. */
  const ask = async (token: string) => {
    // Over a connection of its own: one that is kept may be closed at the moment it is used.
    const headers = { Authorization: `Bearer ${token}`, Connection: 'close' }
    const response = await fetch(`${service.url}/secure/claim`, { headers })
    await response.arrayBuffer()
    return [response.status, response.headers.get('www-authenticate') ?? ''].join(' ').trim()
  }
  async function count(token: string): Promise<void> {
    const answer = await ask(token)
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }

  /** With a new token, then with one of those that do not end while they are asked with. */
  async function askTwice(): Promise<void> {
    const endsAt = Date.now() + LIFETIME_SECONDS * 1000
    const text = await signer.sign({ exp: Math.floor(endsAt / 1000) })
    tokens.push({ text, endsAt })
    await count(text)
    tokens = tokens.filter((token) => token.endsAt > Date.now() + 2 * MINUTE)
    await count(tokens[Math.floor(Math.random() * tokens.length)]?.text ?? text)
  }

  const stop = new AbortController()
  const clients = [1, 2, 3].map(async () => {
    while (!stop.signal.aborted) await askTwice()
  })
  resources.defer(async () => {
    stop.abort()
    await Promise.all(clients)
  })
  const total = () => [...answers.values()].reduce((sum, number) => sum + number, 0)
  return {
    answers,
    ask,
    keyHost,
    publish: (...keys: DevIssuer[]) => {
      published = keys
    },
    signWith: (key: DevIssuer) => {
      signer = key
    },
    /** Lets time pass, minute by minute, with requests in each. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += MINUTE) {
        await vi.advanceTimersByTimeAsync(MINUTE)
        await this.someRequests()
      }
    },
    async someRequests() {
      const before = total()
      await waitFor('ten requests', () => total() >= before + 10, { intervalMs: 5 })
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

describe('a signing key that is replaced under requests', () => {
  it('refuses no valid token: old, old and new, new', async () => {
    const [old, next] = [await createDevIssuer({ kid: 'old' }), await createDevIssuer({ kid: 'new' })]
    await using rotation = await startRotation(old)
    await rotation.someRequests()
    const last = await old.sign({ expiresInSeconds: 86_400 })
    rotation.publish(old, next)
    await rotation.pass(REFRESH)
    rotation.signWith(next)
    await rotation.pass(LIFETIME_SECONDS * 1000)
    rotation.publish(next)
    await rotation.pass(REFRESH + MINUTE)
    expect([...rotation.answers.keys()]).toEqual(['200'])
    expect(await rotation.ask(last)).toMatch(/^401 /)
  })

  it('refuses none of an issuer either that signs with a key as soon as it is published', async () => {
    const keys = await Promise.all(['1', '2', '3'].map((kid) => createDevIssuer({ kid })))
    const [first, ...others] = keys
    if (first === undefined) throw new Error('no key')
    await using rotation = await startRotation(first)
    await rotation.someRequests()
    let before = first
    for (const key of others) {
      rotation.publish(before, key)
      rotation.signWith(key)
      await rotation.pass(LIFETIME_SECONDS * 1000)
      before = key
    }
    expect([...rotation.answers.keys()]).toEqual(['200'])
  })
})
