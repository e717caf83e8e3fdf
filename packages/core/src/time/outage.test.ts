import { describe, expect, it } from 'vitest'
import { createOutage } from './outage.ts'

function record() {
  const lines: unknown[] = []
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, ...fields, message })
  return { lines, log: { warn: at('warn'), debug: at('debug') } }
}

describe('outage', () => {
  it('is a warning once, until it is over', () => {
    const { lines, log } = record()
    const outage = createOutage(log, 'kafka is away')
    outage.failed({ attempt: 1 })
    outage.failed({ attempt: 2 })
    outage.over()
    outage.failed({ attempt: 3 })
    expect(lines).toEqual([
      { level: 'warn', attempt: 1, message: 'kafka is away' },
      { level: 'debug', attempt: 2, message: 'kafka is away' },
      { level: 'warn', attempt: 3, message: 'kafka is away' },
    ])
  })

  it('is told to a logger without debug once', () => {
    const { lines, log } = record()
    const outage = createOutage({ warn: log.warn }, 'kafka is away')
    outage.failed({})
    outage.failed({})
    expect(lines).toHaveLength(1)
  })
})
