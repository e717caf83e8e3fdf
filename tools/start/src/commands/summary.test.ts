import { describe, expect, it } from 'vitest'
import { system } from '../../tests/fixtures/taproom.ts'
import { readConfig } from '../config.ts'
import type { ChosenConsole } from '../console/chosen-console.ts'
import { createStartReport } from './start-report.ts'
import { summarise } from './summary.ts'

const FRESH = { crashes: 0, restarts: 0, startedAt: 0 }
const CONSOLE = { port: 4999, session: 'a-secret' }

function told(notReady: readonly string[], env: Record<string, string> = {}, console?: ChosenConsole): string {
  let text = ''
  const report = createStartReport({ stream: { write: (more) => (text += more) }, now: () => 3210 })
  const processes = ['film-standin', 'beer-standin', 'movie-api', 'beer-stream'].map((name, index) => ({
    name,
    status: { name, state: 'ready', pid: 10 + index, port: 4000 + index, ...FRESH } as const,
  }))
  report.ready(
    summarise(
      { url: 'http://localhost:8080', processes, notReady, down: notReady },
      { system, config: readConfig(env, { cwd: '/shop', root: '/shop' }, system), env, inspectPorts: {}, console },
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

  it("decisions 3.115: gives the console's own address with its secret, where there is one", () => {
    expect(told([], {}, CONSOLE)).toContain(' http://127.0.0.1:4999/#session=a-secret\n')
    expect(told([])).not.toContain('#session')
  })

  it('mentions the health page unless it is switched off', () => {
    const own = { MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem', MP_JWT_VERIFY_ISSUER: 'https://issuer.example' }
    expect(told([])).toContain('http://localhost:8080/q/health-ui/')
    expect(told([], { NODE_ENV: 'production', ...own })).not.toContain('health-ui')
  })
})
