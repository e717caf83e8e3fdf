import { freePort, runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const script = new URL('../scripts/contract.ts', import.meta.url)

/** Runs what `pnpm contract` runs. */
const contract = (...args: string[]) => runScript(script, args)

describe('pnpm contract', () => {
  it.concurrent.each([
    [[], '--url is missing: it names the system to test'],
    [['--url', 'localhost'], '--url "localhost": expected http://… or https://…'],
    [['--url', 'localhost:8080'], '--url "localhost:8080": expected http://… or https://…'],
    [['--url', 'http://localhost:1', '--sink-idle-ms', 'x'], '--sink-idle-ms=x: expected milliseconds'],
    [['--uri'], "Unknown option '--uri'"],
  ])('%j is told in one line, with the usage, and exit code 2', async (args, message) => {
    const { code, stderr } = await contract(...args)
    expect(code).toBe(2)
    expect(stderr.split('\n')[0]).toContain(message)
    expect(stderr).toContain('\nusage: pnpm contract --url URL')
  })

  it.concurrent('asks the system once before any test runs: one line and exit code 2 when nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await contract('--url', url)).toEqual({
      code: 2,
      stdout: '',
      stderr: `nothing answers at ${url} (ECONNREFUSED): is it started?\n`,
    })
  })

  it.concurrent('prints the usage when it is asked for', async () => {
    expect(await contract('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^usage:/), stderr: '' })
  })
})
