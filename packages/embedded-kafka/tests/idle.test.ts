import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startBrokerProcess } from './broker-process.ts'

const CLIENT = fileURLToPath(new URL('./idle-client.ts', import.meta.url))
const INTERVAL_MS = 1500
/** 0.8 % of a core: six times what it takes, and well under the 2 % of a client that polls every millisecond. */
const MAX_CPU_MS = INTERVAL_MS * 0.008

describe('an idle system', () => {
  it('library-traps 4: a connected kafkajs producer and consumer use almost no CPU', async () => {
    await using broker = await startBrokerProcess()
    const client = spawn(process.execPath, [CLIENT], {
      env: { ...process.env, BROKER: broker.bootstrapServers, INTERVAL_MS: String(INTERVAL_MS), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(client, 'exit')
    const lines: string[] = []
    for await (const line of createInterface({ input: client.stdout })) lines.push(line)
    await exited
    const { cpuMs } = JSON.parse(lines.at(-1) ?? '{}') as { cpuMs: number }
    expect(cpuMs).toBeLessThan(MAX_CPU_MS)
  })
})
