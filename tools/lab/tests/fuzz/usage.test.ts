import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { readArguments, USAGE } from '../../src/fuzz/arguments.ts'
import { fuzz } from '../../src/fuzz/fuzz.ts'
import { PARSER_SURFACES } from '../../src/fuzz/parsers/parser-surfaces.ts'
import { SURFACES } from '../../src/fuzz/surface-names.ts'
import { SERVER_SURFACES } from '../../src/fuzz/surfaces.ts'
import { UsageError } from '../../src/harness/command-line.ts'
import { readme, readmeCommands, TABLE } from './readme.ts'

const script = new URL('../../scripts/fuzz.ts', import.meta.url)

describe('pnpm fuzz', () => {
  it.each([
    [['burn'], /^no surface "burn"\nusage: pnpm fuzz/],
    [['--seconds', 'x'], /^--seconds=x: expected a whole number\nusage: pnpm fuzz/],
    [['--colour'], /'--colour'.*usage: pnpm fuzz/s],
  ])('refuses a wrong command line with one usage: %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
    expect(() => readArguments(args)).toThrow(UsageError)
    expect(() => readArguments(args)).not.toThrow(/usage:.*usage:/s)
  })

  it('ends a wrong command line with exit code 2', async () => {
    const { code, stdout, stderr } = await runScript(script, ['burn'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`no surface "burn"\n${USAGE}\n`)
  })

  it('has every surface in its usage', () => {
    expect(SURFACES).toEqual([...Object.keys(PARSER_SURFACES), ...Object.keys(SERVER_SURFACES)])
    expect(readArguments(['--help']).help).toBe(true)
    for (const surface of SURFACES) expect(USAGE).toContain(surface)
  })

  it('prints a row for the surface and one for all, for a command of the README', async () => {
    expect(readmeCommands.length).toBeGreaterThan(1)
    const all = readmeCommands.map(readArguments)
    const options = all.find(({ only }) => only !== undefined)
    if (options === undefined) throw new Error('no command of the README has --only')
    const lines: string[] = []
    await fuzz(options, (line) => lines.push(line))
    for (const row of TABLE) expect(lines.join('\n')).toMatch(row)
  })

  it('has every surface in the table of the README', () => {
    const named = [...readme.matchAll(/^\| `[a-z][^|]+`/gm)].flatMap(([cell]) => cell.match(/[a-z-]+/g) ?? [])
    expect(named.toSorted()).toEqual(SURFACES.toSorted())
  })
})
