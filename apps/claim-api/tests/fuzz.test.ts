import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IssuedClaimService, startIssuedClaimService } from './claim-service.ts'

/** Claims that mean something, and names that every object has. */
const CLAIMS = 'sub aud upn iss exp iat nbf groups preferred_username jti roleMappings __proto__ constructor'.split(' ')

describe('hostile requests', () => {
  let service: IssuedClaimService
  beforeAll(async () => {
    service = await startIssuedClaimService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const withToken = (token: string) =>
    fetch(`${service.url}/secure/claim`, { headers: { Authorization: `Bearer ${token}` } }).then((res) => res.status)

  /** Sends header lines byte for byte; returns the status. */
  async function sendRaw(lines: readonly string[]): Promise<number> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.end(
      Buffer.from(
        ['GET /secure/claim HTTP/1.1', 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n'),
        'latin1',
      ),
    )
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    await once(socket, 'close')
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
  }

  const encoded = fc.json().map((json) => Buffer.from(json).toString('base64url'))
  const header = fc
    .record(
      {
        alg: fc.oneof(fc.constantFrom('RS256', 'none', 'HS256', 'ES256'), fc.anything()),
        kid: fc.oneof(fc.string(), fc.anything()),
        typ: fc.oneof(fc.constantFrom('JWT', 'at+jwt'), fc.anything()),
        crit: fc.anything(),
        b64: fc.boolean(),
        jwk: fc.anything(),
      },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(safeJson(value)).toString('base64url'))

  it('are never a server error, whatever the token is', async () => {
    const part = fc.oneof(header, encoded, fc.base64String(), fc.string())
    const token = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    )
    const sendable = token.map((text) => text.replace(/[^\x20-\x7e]/g, '.'))
    await fc.assert(
      fc.asyncProperty(sendable, async (text) => {
        expect(await withToken(text)).toBe(401)
      }),
      { numRuns: 150 },
    )
  })

  it('are never a server error with well signed claims of any shape', async () => {
    const claim = fc.constantFrom(...CLAIMS)
    const claims = fc.dictionary(claim, fc.jsonValue(), { maxKeys: 4 })
    await fc.assert(
      fc.asyncProperty(claims, async (odd) => {
        expect([200, 204, 401, 403]).toContain(await withToken(await service.issuer.sign(odd)))
      }),
      { numRuns: 60 },
    )
  })

  it('are never a server error, whatever the header lines are', async () => {
    const name = fc.constantFrom(
      'Authorization',
      'authorization',
      'Cookie',
      'X-Forwarded-For',
      'Accept',
      'Content-Length',
    )
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary-ascii' }),
      fc.string({ unit: 'grapheme' }),
      fc.string().map((text) => `Bearer ${text}`),
    )
    const lines = fc.array(
      fc.tuple(name, value).map(([key, text]) => `${key}: ${text}`),
      { maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(lines, async (sent) => {
        const status = await sendRaw(sent)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 100 },
    )
  })

  it('with a token of the largest size that fits the headers are a plain 401, larger ones 431', async () => {
    expect(await withToken('a'.repeat(15_000))).toBe(401)
    expect(await withToken('a'.repeat(20_000))).toBe(431)
  })
})

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '{}'
  } catch {
    return '{}'
  }
}
