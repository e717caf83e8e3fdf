import { once } from 'node:events'
import { createServer } from 'node:net'
import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './movie-system.ts'

const main = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('ends with 1 and names every invalid variable', async () => {
    await using service = startProcess(main, { FILM_TIMEOUT_MS: 'soon', DATABASE_URL: 'mysql://db' })
    expect(await service.end()).toBe(1)
    expect(service.errors.join()).toContain('FILM_TIMEOUT_MS')
    expect(service.errors.join()).toContain('DATABASE_URL')
  })

  it('ends with 1 and names port and variable when the port is in use', async () => {
    await using folder = await temporaryFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as { port: number }).port)
    await using service = startProcess(main, { PORT: port, DATABASE_URL: `sqlite:${folder.path}/films.sqlite` })
    expect(await service.end()).toBe(1)
    expect(service.errors.join()).toContain(`port ${port}`)
    expect(service.errors.join()).toContain('PORT')
    other.close()
  })

  it('starts while database and remote are away, with readiness DOWN and liveness UP', async () => {
    await using service = startProcess(main, {
      DATABASE_URL: 'postgres://127.0.0.1:9/films',
      FILM_SERVICE_URL: 'http://127.0.0.1:9',
    })
    const url = await service.url()
    const status = async (path: string) => (await fetch(`${url}${path}`)).status
    expect([await status('/q/health/ready'), await status('/q/health/live'), await status('/movie')]).toEqual([
      503, 200, 503,
    ])
    expect(await service.stop()).toBe(0)
  })
})
