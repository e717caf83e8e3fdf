import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const script = new URL('../../scripts/sdks.ts', import.meta.url)

describe('pnpm sdks', () => {
  it.concurrent.each([
    [['cobol'], /^no SDK "cobol"\nusage: pnpm sdks/],
    [['--colour'], /'--colour'/],
  ])('ends a wrong command line with exit code 2: %j', async (args, message) => {
    const { code, stderr } = await runScript(script, args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it.concurrent('prints its usage', async () => {
    const { code, stdout } = await runScript(script, ['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('go, java, javascript, python, rust')
  })
})
