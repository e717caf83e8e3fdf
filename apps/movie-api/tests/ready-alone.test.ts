import { bundled, freePort, readHealth, startProcess } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { temporaryFolder } from './movie-system.ts'

const main = await bundled(new URL('../src/main.ts', import.meta.url))

it('deploy/particular-clusters.md: is ready without the film service where the check asks the pod itself', async () => {
  await using folder = await temporaryFolder()
  const port = await freePort()
  await using service = startProcess(main, {
    DATABASE_URL: `sqlite:${folder.path}/films.sqlite`,
    FILM_SERVICE_URL: 'http://127.0.0.1:9',
    MANAGEMENT_PORT: String(port),
    MANAGEMENT_HOST: '127.0.0.1',
    EXTERNAL_URL: `http://localhost:${port}`,
    EXTERNAL_URL_PATH: 'q/health/live',
  })
  await service.url()
  expect(await readHealth(`http://127.0.0.1:${port}`, 'ready')).toMatchObject({ status: 200 })
})
