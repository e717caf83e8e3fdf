import { describe, expect, it } from 'vitest'
import { system } from '../../tests/fixtures/taproom.ts'
import { readConfig } from '../config.ts'
import { createStartReport } from '../output/start-report.ts'
import { summarise } from './summary.ts'

function told(notReady: readonly string[], env: Record<string, string> = {}): string {
  let text = ''
  const report = createStartReport({ stream: { write: (more) => (text += more) }, now: () => 3210 })
  const processes = ['film-standin', 'beer-standin', 'movie-api', 'beer-stream'].map((name, index) => ({
    name,
    status: { name, state: 'ready', pid: 10 + index, port: 4000 + index, crashes: 0 } as const,
  }))
  report.ready(
    summarise(
      { url: 'http://localhost:8080', processes, notReady },
      { system, config: readConfig(env, '/work', system), env },
    ),
  )
  return text
}

describe('summarise', () => {
  it('is one ready line when all is ready', () => {
    expect(told([])).toMatch(/^ready http:\/\/localhost:8080 after 3\.2 s; /m)
    expect(told([])).not.toContain('not ready')
  })

  it('names what is not ready, in the table and in the last line', () => {
    const text = told(['beer-stream', 'Messaging', 'Messaging'])
    expect(text).toMatch(/^up, but not ready: beer-stream, Messaging; http:\/\/localhost:8080 after/m)
    expect(text).not.toMatch(/^ready /m)
    expect(text).toMatch(/^ {2}beer-stream +\S+ +not ready +13$/m)
    expect(text).toMatch(/^ {2}movie-api +\S+ +ready +12$/m)
  })

  it("gives the stand-ins' addresses as FILM_SERVICE_URL and BEER_SERVICE_URL want them", () => {
    expect(told([])).toContain(' http://127.0.0.1:4000/api ')
    expect(told([])).toContain(' http://127.0.0.1:4001/v2 ')
  })

  it('mentions the health page unless it is switched off', () => {
    const own = { MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem', MP_JWT_VERIFY_ISSUER: 'https://issuer.example' }
    expect(told([])).toContain('http://localhost:8080/q/health-ui/')
    expect(told([], { NODE_ENV: 'production', ...own })).not.toContain('health-ui')
  })
})
