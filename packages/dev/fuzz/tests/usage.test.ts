import { readFileSync } from 'node:fs'
import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { SURFACES } from '../src/surfaces.ts'

const script = new URL('../scripts/fuzz.ts', import.meta.url)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** Runs what `pnpm fuzz` runs. */
const fuzz = (...args: string[]) => runScript(script, args)

describe('pnpm fuzz', () => {
  it.each([
    [['burn'], /^no surface "burn"\nusage: pnpm fuzz/],
    [['--seconds', 'x'], /^--seconds=x: expected a whole number\nusage: pnpm fuzz/],
    [['--colour'], /'--colour'.*usage: pnpm fuzz/s],
  ])('ends a wrong command line with one usage and exit code 2: %j', async (args, message) => {
    const { code, stderr } = await fuzz(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr.split('usage:').length).toBe(2)
  })

  it('prints its usage when it is asked for', async () => {
    const { code, stdout, stderr } = await fuzz('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const surface of SURFACES) expect(stdout).toContain(surface)
  })

  it('prints a row for the surface and one for all, for each command of the README', async () => {
    const commands = [...readme.matchAll(/^ {4}pnpm fuzz (.*)$/gm)].map(([, args = '']) => args.split(' '))
    expect(commands.length).toBeGreaterThan(1)
    for (const args of commands) {
      const { stdout, stderr } = await fuzz(...args)
      expect(stderr).toBe('')
      expect(stdout).toMatch(/^surface +inputs +crashes +5xx +longest block +seed$/m)
      expect(stdout).toMatch(/^all +[1-9][\d,]* +\d+ +\d+ +[\d.]+ ms +\d+$/m)
    }
  })

  it('has every surface in the table of the README', () => {
    const named = [...readme.matchAll(/^\| `[a-z][^|]+`/gm)].flatMap(([cell]) => cell.match(/[a-z-]+/g) ?? [])
    expect(named.toSorted()).toEqual(SURFACES.toSorted())
  })
})
