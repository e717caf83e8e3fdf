import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRefusalLog } from './refusal-log.ts'

describe('the log of refusals', () => {
  const lines: (readonly [object, string])[] = []
  const line = (fields: object, message: string) => void lines.push([fields, message])
  const create = () => createRefusalLog({ info: line, warn: line } as Parameters<typeof createRefusalLog>[0])
  const refusal = { status: 401, reason: 'signature', claimed: {} } as const

  beforeEach(() => {
    lines.length = 0
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('has a line for each, with client, status, reason and what the token says of itself', () => {
    create()({ client: '192.0.2.1' }, { ...refusal, claimed: { kid: 'k', jti: 'j', sub: 's' } })
    const fields = {
      log: 'security',
      client: '192.0.2.1',
      status: 401,
      reason: 'signature',
      kid: 'k',
      jti: 'j',
      sub: 's',
    }
    expect(lines).toEqual([[fields, 'request refused']])
  })

  it('has the path without its query, cut and escaped', () => {
    create()({ client: '192.0.2.1', method: 'GET', path: '/a\u001b?access_token=secret' }, refusal)
    create()({ client: '192.0.2.1', method: 'GET', path: `/${'x'.repeat(400)}?y` }, refusal)
    expect(lines.map(([fields]) => fields)).toMatchObject([
      { path: '/a\\u001b' },
      { path: `/${'x'.repeat(299)}… (101 more characters)` },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each([
    ['a line break', 'a\r\nb', 'a\\r\\nb'],
    ['a terminal’s escape', '\u001b[2J\u009b', '\\u001b[2J\\u009b'],
    ['a line separator', '\u2028\u2029\u0085', '\\u2028\\u2029\\u0085'],
    ['a change of direction', '\u202egnp', '\\u202egnp'],
    ['a text as it should be', 'Žofie 🍺', 'Žofie 🍺'],
    ['a long text', 'x'.repeat(10_000), `${'x'.repeat(100)}… (9900 more characters)`],
  ])('shows %s in a harmless way', (_, sub, shown) => {
    create()({ client: '192.0.2.1' }, { ...refusal, claimed: { sub } })
    expect(lines[0]?.[0]).toMatchObject({ sub: shown })
  })

  it('has at most 50 lines of one client in ten seconds, then one with the number of the rest by reason', () => {
    const refused = create()
    for (let i = 0; i < 1000; i += 1) refused({ client: '192.0.2.1' }, refusal)
    refused({ client: '192.0.2.1' }, { ...refusal, reason: 'expired' })
    refused({ client: '192.0.2.2' }, refusal)
    expect(lines).toHaveLength(51)
    vi.advanceTimersByTime(10_000)
    expect(lines.slice(51)).toEqual([
      [{ log: 'security', suppressed: 951, reasons: { signature: 950, expired: 1 } }, 'further requests refused'],
    ])
    refused({ client: '192.0.2.1' }, refusal)
    expect(lines).toHaveLength(53)
  })

  it('has at most 200 lines of all clients in ten seconds', () => {
    const refused = create()
    for (let i = 0; i < 5000; i += 1) refused({ client: `192.0.2.${i}` }, refusal)
    expect(lines).toHaveLength(200)
  })
})
