import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/chaos/commands.ts'

const script = new URL('../../scripts/chaos.ts', import.meta.url)

/** Runs what `pnpm chaos` runs. */
const chaos = (...args: string[]) => runScript(script, args)

describe('pnpm chaos', () => {
  it.concurrent.each([
    [[], /^usage: pnpm chaos beers/],
    [['burn'], /^no run "burn"\n\nusage: pnpm chaos beers/],
    [['films', '--clients', 'x'], /^--clients=x: expected a whole number above 0\nusage: pnpm chaos films/],
    [['films', '--colour'], /'--colour'/],
  ])('ends a wrong command line with one usage at most and exit code 2: %j', async (args, message) => {
    const { code, stderr } = await chaos(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr.split('usage:').length).toBeLessThanOrEqual(2)
  })

  it.concurrent('prints the usage of all runs when it is asked for', async () => {
    const { code, stdout, stderr } = await chaos('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const run of ['beers', 'outage', 'clients', 'events', 'films', 'kafka', 'outbox', 'stops'])
      expect(stdout).toContain(`pnpm chaos ${run} [`)
  })
})

describe('a run of pnpm chaos', () => {
  it.each([
    ['beers', ['--rate', 'fast'], /--rate=fast: expected a number.*usage/s],
    ['beers', ['--kafka', 'a:1', '--kill-kafka', 'true'], /go together/],
    ['events', ['--count', '1.5'], /--count=1.5: expected a whole number.*usage/s],
  ] as const)('refuses a wrong option with the usage: %s %j', async (name, args, message) => {
    await expect(COMMANDS[name](args, () => {})).rejects.toThrow(message)
  })
})
