import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startFilmRemote, temporaryFolder, withRemote } from './movie-system.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The service as its own process. */
function startProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--conditions=development', main], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString()
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    output,
    exited,
    port: () =>
      waitFor('the ready line', () => {
        const ready = output.stdout.split('\n').find((line) => line.includes('"movie-api ready"'))
        return ready === undefined ? undefined : (JSON.parse(ready) as { port: number }).port
      }),
    stop: async () => {
      child.kill('SIGTERM')
      return await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

describe('the process', () => {
  it('starts alone, answers, and ends with 0 on SIGTERM', async () => {
    await using folder = await temporaryFolder()
    await using remote = await startFilmRemote()
    await using service = startProcess({
      DATABASE_URL: `sqlite:${folder.path}/films.sqlite`,
      FILM_SERVICE_URL: remote.url,
    })
    const response = await fetch(`http://127.0.0.1:${await service.port()}/movie`)
    expect(await response.json()).toEqual(withRemote)
    expect(await service.stop()).toBe(0)
    for (const line of service.output.stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })

  it('starts while database and remote are away, with readiness DOWN and liveness UP', async () => {
    await using service = startProcess({
      DATABASE_URL: 'postgres://127.0.0.1:9/films',
      FILM_SERVICE_URL: 'http://127.0.0.1:9',
    })
    const port = await service.port()
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    expect([await status('/q/health/ready'), await status('/q/health/live'), await status('/movie')]).toEqual([
      503, 200, 503,
    ])
    expect(await service.stop()).toBe(0)
  })

  it('ends with 1 and names every invalid variable', async () => {
    await using service = startProcess({ FILM_TIMEOUT_MS: 'soon', DATABASE_URL: 'mysql://db' })
    expect(await service.exited).toBe(1)
    expect(service.output.stderr).toContain('FILM_TIMEOUT_MS')
    expect(service.output.stderr).toContain('DATABASE_URL')
  })

  it('ends with 1 and names port and variable when the port is in use', async () => {
    await using folder = await temporaryFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as { port: number }).port)
    await using service = startProcess({ PORT: port, DATABASE_URL: `sqlite:${folder.path}/films.sqlite` })
    expect(await service.exited).toBe(1)
    expect(service.output.stderr).toContain(`port ${port}`)
    expect(service.output.stderr).toContain('PORT')
    other.close()
  })
})
