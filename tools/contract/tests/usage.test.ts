import { freePort, runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { readArguments, USAGE } from '../scripts/read-arguments.ts'
import { ContractUsageError } from '../src/errors.ts'

const script = new URL('../scripts/contract.ts', import.meta.url)

/** Runs what `pnpm contract` runs. */
const contract = (...args: string[]) => runScript(script, args)

describe('pnpm contract', () => {
  it.each([
    [[], '--url is missing: it names the system to test'],
    [['--url', 'localhost'], '--url "localhost": expected http://… or https://…'],
    [['--url', 'localhost:8080'], '--url "localhost:8080": expected http://… or https://…'],
    [['--url', 'http://localhost:1', '--sink-idle-ms', 'x'], '--sink-idle-ms=x: expected milliseconds'],
    [['--uri'], "Unknown option '--uri'"],
  ])('%j is a wrong command line, with the reason', (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
    expect(() => readArguments(args)).toThrow(ContractUsageError)
  })

  it('tells a wrong command line in one line, with the usage, and exit code 2', async () => {
    const { code, stdout, stderr } = await contract('--uri')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toContain("Unknown option '--uri'")
    expect(stderr.endsWith(`\n\n${USAGE}`)).toBe(true)
    expect(USAGE).toMatch(/^usage: pnpm contract --url URL/)
  })

  it('asks the system once before any test runs: one line and exit code 2 when nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await contract('--url', url)).toEqual({
      code: 2,
      stdout: '',
      stderr: `nothing answers at ${url} (ECONNREFUSED): is it started?\n`,
    })
  })

  it('prints the usage when it is asked for', async () => {
    expect(await contract('--help')).toEqual({ code: 0, stdout: USAGE, stderr: '' })
  })
})
