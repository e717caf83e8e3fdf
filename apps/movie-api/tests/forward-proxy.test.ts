import { bundled, eventually, readHealth, startForwardProxy, startHttpServer, startProcess } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { temporaryFolder } from './movie-system.ts'

const main = await bundled(new URL('../src/main.ts', import.meta.url))

it('decisions 3.180: films, the readiness check of their service and traces go through the proxy', async () => {
  await using folder = await temporaryFolder()
  await using remote = await startFilmRemote()
  await using collector = await startHttpServer((req, res) => void req.resume().on('end', () => res.end()))
  await using proxy = await startForwardProxy()
  const films = remote.url.replace('127.0.0.1', 'films.test')
  await using service = startProcess(main, {
    DATABASE_URL: `sqlite:${folder.path}/films.sqlite`,
    FILM_SERVICE_URL: films,
    EXTERNAL_URL: films,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://collector.test:${collector.port}`,
    OTEL_BSP_SCHEDULE_DELAY: '1',
    TELEMETRY_DELAY_MS: '1',
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy.url.replace('//', '//user:secret@'),
    NO_PROXY: 'localhost',
  })
  const url = await service.url()
  expect(await (await fetch(`${url}/movie`)).json()).toEqual(withRemote)
  expect(await readHealth(url, 'ready')).toMatchObject({ status: 200 })
  await eventually(() => expect(collector.requests).not.toEqual([]))
  expect(proxy.requests).toContain(`GET ${films}/films/1`)
  expect(proxy.requests).toContain(`GET ${films}/films/`)
  expect(proxy.requests).toContain(`POST http://collector.test:${collector.port}/v1/traces`)
  expect(await service.stop()).toBe(0)
  expect(JSON.stringify(service.lines)).not.toContain('secret')
})
