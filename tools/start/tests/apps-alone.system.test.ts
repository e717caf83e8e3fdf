import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { APPS, ROOT, runLine, startAlone } from './fixtures/alone.ts'

describe.each([
  { app: 'beer-generator', standin: 'BEER_STANDIN_PORT', url: 'BEER_SERVICE_URL', path: '/v2' },
  { app: 'beer-stream', standin: 'BEER_STANDIN_PORT', url: 'BEER_SERVICE_URL', path: '/v2' },
  { app: 'movie-api', standin: 'FILM_STANDIN_PORT', url: 'FILM_SERVICE_URL', path: '/api' },
])('the README of $app', ({ app, standin, url, path }) => {
  it(`runs it beside a system: another port, and the ${standin} and base path of a stand-in`, async () => {
    const readme = await readFile(join(ROOT, `apps/${app}/README.md`), 'utf8')
    const port = new RegExp(`^${standin}=(\\d+) pnpm start`, 'm').exec(readme)?.[1]
    expect(await runLine(app)).toBe(
      `PORT=8081 ${url}=http://localhost:${port}${path} pnpm --filter ./apps/${app} start`,
    )
  })
})

describe('README: an app starts alone', () => {
  // All of them: apps-alone.long.test.ts.
  it.each(APPS.slice(0, 1))('pnpm --filter ./apps/%s start', (app) => startAlone(app))
})
