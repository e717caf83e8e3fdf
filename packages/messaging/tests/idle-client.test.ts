import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { openIncoming, openOutgoing } from '../src/index.ts'
import { startBroker, unique } from './broker.ts'

describe('an idle client', () => {
  it('uses next to no CPU and arms no negative timer', async () => {
    await using broker = await startBroker()
    const topic = unique('beer')
    const warnings: string[] = []
    const note = (warning: Error) => warnings.push(warning.name)
    process.on('warning', note)
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic })
    await using incoming = openIncoming(broker.kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await outgoing.send({ value: '1' })
    const before = process.cpuUsage()
    const startedAt = Date.now()
    await waitFor('three seconds', () => Date.now() - startedAt > 3000, { intervalMs: 500 })
    const { user, system } = process.cpuUsage(before)
    process.off('warning', note)
    // A kafkajs without its patch polls every millisecond and uses several times as much.
    expect((user + system) / 1000).toBeLessThan(150)
    expect(warnings).not.toContain('TimeoutNegativeWarning')
  })
})
