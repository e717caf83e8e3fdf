import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { docker, inspect, logLines } from './docker.ts'

/** A container of its own on the host's network, where it finds what the test serves; removed in the end. */
async function startContainer(image: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const variables = Object.entries({ PORT: '0', HOST: '127.0.0.1', ...env }).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ])
  const name = `taproom-test-${randomUUID()}`
  const started = Date.now()
  const limits = ['--read-only', '--cap-drop', 'ALL', '--network', 'host', '--tmpfs', '/data:uid=1000']
  const id = await docker('run', '--detach', '--name', name, ...limits, ...variables, `${image}:development`, ...args)
  const ready = await waitFor(
    `${image} to be ready`,
    async () => (await logLines(id)).find(({ msg }) => String(msg).endsWith(' ready')),
    { intervalMs: 100 },
  )
  return {
    url: `http://127.0.0.1:${ready['port']}`,
    app: String(ready['service']),
    startMs: Date.parse(String(ready['time'])) - started,
    signal: () => docker('kill', '--signal', 'TERM', id),
    exitCode: async () => {
      await docker('wait', id)
      return (await inspect([id]))[0]?.State.ExitCode
    },
    [Symbol.asyncDispose]: async () => void (await docker('rm', '--force', id)),
  }
}

describe('SIGTERM in a container', () => {
  it('lets a request in flight finish, with readiness DOWN meanwhile, and ends with 0', async () => {
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<ServerResponse>()
    await using films = await startHttpServer((request, response) => {
      if (request.url?.includes('/films/')) isAsked(response)
      else response.end()
    })
    await using movies = await startContainer('movie-api', [], {
      DATABASE_URL: 'sqlite:/data/films.sqlite',
      FILM_SERVICE_URL: films.url,
      FILM_TIMEOUT_ENABLED: 'false',
    })
    const answer = fetch(`${movies.url}/movie?year=1980`)
    const film = await asked
    await movies.signal()
    await waitFor('readiness to be DOWN', async () => (await fetch(`${movies.url}/q/health/ready`)).status === 503)

    film.setHeader('Content-Type', 'application/json')
    film.end(JSON.stringify({ title: '', episode_id: 5, opening_crawl: 'It is', director: 'D', producer: 'P' }))
    const response = await answer
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject([{ title: 'The Empire Strikes Back', director: 'D' }])
    expect(await movies.exitCode()).toBe(0)
  })

  it.each([
    ['event-sinks', [], 'aloha-sink'],
    ['event-sinks', ['aloha-sink'], 'aloha-sink'],
    ['event-sinks', ['bonjour-sink'], 'bonjour-sink'],
  ])('decisions 3.20: one image for both sinks: %s %j is %s, and ends with 0', async (image, args, app) => {
    await using sink = await startContainer(image, args)
    console.log(`${image} ${args.join(' ')}: ready ${sink.startMs} ms after docker run`)
    expect(sink.app).toBe(app)
    const event = { 'Ce-Id': '1', 'Ce-Specversion': '1.0', 'Ce-Type': 'greeting', 'Ce-Source': 'test' }
    const headers = { ...event, 'Content-Type': 'application/json' }
    expect((await fetch(sink.url, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    await sink.signal()
    expect(await sink.exitCode()).toBe(0)
  })

  it('ends a migration of its own with 0', async () => {
    const limits = ['--read-only', '--tmpfs', '/data:uid=1000']
    const variables = ['--env', 'DATABASE_URL=sqlite:/data/films.sqlite']
    const id = await docker('run', '--detach', ...limits, ...variables, 'movie-api:development', 'migrate')
    try {
      expect(await docker('wait', id)).toBe('0')
      const ran = ['migration runs', 'migration ran']
      const said = (await logLines(id)).map(({ msg }) => msg)
      expect(said).toEqual([...ran, ...ran, 'movie-api database is up to date'])
    } finally {
      await docker('rm', '--force', id)
    }
  })
})
