import { describe, expect, it } from 'vitest'
import { factsOf, NOW } from '../../tests/fixtures/facts.ts'
import type { ServiceView } from '../api/services.ts'
import { channelVerdicts } from './channel-verdicts.ts'

const MINUTE = 60_000
const orders: ServiceView = {
  ...{ name: 'orders', kind: 'app', state: 'ready', failing: [], crashes: 0, restarts: 0, startedAt: NOW - 2 * MINUTE },
}
const line = { service: 'orders', level: 'error', topic: 'beer', partition: 0, channel: 'beer' }
const stopped = { ...line, msg: 'message not processed, the channel stops' }
const skipped = { ...line, msg: 'message not processed, ignored' }

const severities = (...lines: readonly object[]) =>
  channelVerdicts(factsOf({ services: [orders], lines })).map(({ severity }) => severity)

describe('verdicts of records', () => {
  it('are errors as long as the process runs whose channel stopped', () => {
    expect(severities({ ...stopped, time: NOW - 2 * MINUTE })).toEqual(['error'])
    expect(severities({ ...stopped, time: NOW - 2 * MINUTE - 1 })).toEqual([])
  })

  it('name the strategy, and the topic, for a record that can never be processed', () => {
    const [found] = channelVerdicts(
      factsOf({ services: [orders], lines: [{ ...stopped, channel: 'orders-in', time: NOW }] }),
    )
    expect(found?.remedy).toContain('MP_MESSAGING_INCOMING_ORDERS_IN_FAILURE_STRATEGY=dead-letter-queue')
    expect(found?.remedy).toContain('dead-letter-topic-orders-in')
  })

  it('are warnings of the last minute for records that were passed over', () => {
    expect(severities({ ...skipped, time: NOW - MINUTE + 1 })).toEqual(['warning'])
    expect(severities({ ...skipped, time: NOW - MINUTE })).toEqual([])
  })
})
