import { fileURLToPath } from 'node:url'
import { startNode } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { startBrokerProcess } from './broker-process.ts'

const CLIENT = fileURLToPath(new URL('./idle-client.ts', import.meta.url))
const INTERVAL_MS = 1500
/** One in ten milliseconds: several times what it takes, and well under those of a client that polls every millisecond. */
const MAX_TIMERS = INTERVAL_MS / 10

describe('an idle system', () => {
  it('decisions 3.24: a connected kafkajs producer and consumer arm few timers', async () => {
    await using broker = await startBrokerProcess()
    const lines: string[] = []
    const client = startNode({
      args: [CLIENT],
      env: { ...process.env, BROKER: broker.bootstrapServers, INTERVAL_MS: String(INTERVAL_MS), NODE_OPTIONS: '' },
      stderr: 'inherit',
      onLine: (line) => lines.push(line),
    })
    await client.ended
    const { timers } = JSON.parse(lines.at(-1) ?? '{}') as { timers: number }
    expect(timers).toBeLessThan(MAX_TIMERS)
  })
})
