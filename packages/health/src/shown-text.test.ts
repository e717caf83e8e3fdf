import { describe, expect, it } from 'vitest'
import { createHealth } from './health.ts'
import { shownText } from './shown-text.ts'

describe('shownText', () => {
  it.each([
    ['connect postgres://taproom:s3cret@db:5432/films failed', 'connect postgres://***@db:5432/films failed'],
    ['redis://:s3cret@cache', 'redis://***@cache'],
    ['two: http://a:s3cret@x http://s3cret@y', 'two: http://***@x http://***@y'],
    ['GET http://x/?access_token=s3cret&page=1', 'GET http://x/?access_token=***&page=1'],
    ['host=db password=s3cret user=x', 'host=db password=*** user=x'],
    ['{"password":"s3cret","a":1}', '{"password":"***","a":1}'],
    ['Authorization: Bearer s3cret', 'Authorization: ***'],
    ['sent Bearer s3cret to x', 'sent *** to x'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.c2ln was refused', 'token *** was refused'],
    ['password authentication failed for user "taproom"', 'password authentication failed for user "taproom"'],
    ['GET http://films.test/films/', 'GET http://films.test/films/'],
  ])('of %j is %j', (text, shown) => {
    expect(shownText(text)).toBe(shown)
  })

  it('is short, and cuts no secret in its middle', () => {
    expect(shownText('x'.repeat(1e6))).toBe(`${'x'.repeat(500)}…`)
    expect(shownText(`${'x'.repeat(480)} http://user:${'s3cret'.repeat(100)}@host`)).not.toContain('s3cret')
  })
})

describe('a report', () => {
  it('shows no secret, and no more than a person can read, of what checks and their errors say', async () => {
    const url = 'postgres://taproom:s3cret@db/films'
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`fact${i}`, url.repeat(1000)]))
    const health = createHealth({
      readiness: [
        { name: 'throws', check: () => Promise.reject(new Error(`no answer: ${url}`)) },
        { name: 'tells', check: () => ({ status: 'DOWN', data }) },
      ],
    })
    const report = JSON.stringify(await health.report('ready'))
    expect(report).not.toContain('s3cret')
    expect(report.length).toBeLessThan(100_000)
  })
})
