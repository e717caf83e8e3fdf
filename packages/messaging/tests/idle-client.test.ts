import { createHook } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openIncoming, openOutgoing } from '../src/index.ts'
import { startBroker, unique } from './broker.ts'

describe('an idle client', () => {
  it('arms few timers, and none of a negative time', async () => {
    await using broker = await startBroker()
    const topic = unique('beer')
    const warnings: string[] = []
    const note = (warning: Error) => warnings.push(warning.name)
    process.on('warning', note)
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic, timeoutMs: 90_000 })
    await using incoming = openIncoming(broker.kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await outgoing.send({ value: '1' })
    let timers = 0
    const counting = createHook({
      init(_id, type) {
        if (type === 'Timeout') timers += 1
      },
    }).enable()
    const startedAt = performance.now()
    await delay(2000)
    const elapsedMs = performance.now() - startedAt
    counting.disable()
    process.off('warning', note)
    // A kafkajs without its patch polls every millisecond.
    expect(timers).toBeLessThan(elapsedMs / 10)
    expect(warnings).not.toContain('TimeoutNegativeWarning')
  })
})
