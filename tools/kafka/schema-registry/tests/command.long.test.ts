import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)

describe('the command', () => {
  it('does not start with variables that are wrong', async () => {
    await using registry = startProcess(main, { PORT: 'x', KAFKA_BOOTSTRAP_SERVERS: 'nowhere' })
    expect(await registry.end()).toBe(1)
    expect(registry.errors.join('\n')).toMatch(/PORT.*KAFKA_BOOTSTRAP_SERVERS/s)
  })
})
