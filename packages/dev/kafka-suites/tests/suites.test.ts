import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const suites = (...args: string[]) => runScript(new URL('../scripts/suites.ts', import.meta.url), args)

describe('pnpm suites', () => {
  it('--help says which suites there are', async () => {
    expect(await suites('--help')).toMatchObject({
      code: 0,
      stdout: 'pnpm suites [NAME]…: all, or some of franz-go, kafka-go\n',
    })
  })

  it.each([
    [['rdkafka'], 'no suite "rdkafka"'],
    [['--all'], "Unknown option '--all'"],
  ])('refuses %j', async (args, reason) => {
    const { code, stderr } = await suites(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
    expect(stderr).toContain('franz-go, kafka-go')
  })
})
