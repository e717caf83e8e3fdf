import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { USAGE } from '../../src/fuzz/arguments.ts'
import { readmeCommands, TABLE } from './readme.ts'

const script = new URL('../../scripts/fuzz.ts', import.meta.url)

describe('pnpm fuzz', () => {
  it('prints its usage when it is asked for', async () => {
    expect(await runScript(script, ['--help'])).toEqual({ code: 0, stdout: `${USAGE}\n`, stderr: '' })
  })

  it.each(readmeCommands.map((args) => [args]))(
    'prints a row for the surface and one for all, for the command of the README: %j',
    async (args) => {
      const { stdout, stderr } = await runScript(script, args)
      expect(stderr).toBe('')
      for (const row of TABLE) expect(stdout).toMatch(row)
    },
  )
})
