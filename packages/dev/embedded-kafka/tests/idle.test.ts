import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startBrokerProcess } from './broker-process.ts'

const CLIENT = fileURLToPath(new URL('./idle-client.ts', import.meta.url))
const INTERVAL_MS = 1500
/** One in ten milliseconds: several times what it takes, and well under those of a client that polls every millisecond. */
const MAX_TIMERS = INTERVAL_MS / 10

describe('an idle system', () => {
  it('decisions 3.24: a connected kafkajs producer and consumer arm few timers', async () => {
    await using broker = await startBrokerProcess()
    const client = spawn(process.execPath, [CLIENT], {
      env: { ...process.env, BROKER: broker.bootstrapServers, INTERVAL_MS: String(INTERVAL_MS), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(client, 'exit')
    const lines: string[] = []
    for await (const line of createInterface({ input: client.stdout })) lines.push(line)
    await exited
    const { timers } = JSON.parse(lines.at(-1) ?? '{}') as { timers: number }
    expect(timers).toBeLessThan(MAX_TIMERS)
  })
})
