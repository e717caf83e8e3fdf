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

  it('name the strategy of a channel with unreadable records, and the topic that a transform reads', () => {
    const msg = 'kafka records unreadable, the channel stops'
    const unreadable = { ...stopped, msg, channel: 'orders-in', records: 3, time: NOW }
    const remedyOf = (failing: ServiceView['failing']) =>
      channelVerdicts(factsOf({ services: [{ ...orders, failing }], lines: [unreadable] }))[0]?.remedy
    expect(remedyOf([{ name: 'Kafka incoming channel orders-in', status: 'DOWN' }])).toContain(
      'MP_MESSAGING_INCOMING_ORDERS_IN_FAILURE_STRATEGY=dead-letter-queue',
    )
    const ofTransform = remedyOf([{ name: 'Kafka transform channel orders-in', status: 'DOWN' }])
    expect(ofTransform).toMatch(/MP_MESSAGING_INCOMING_<CHANNEL>_FAILURE_STRATEGY=.* the channel that reads beer\.$/)
  })

  it('are warnings of the last minute for records that were passed over', () => {
    expect(severities({ ...skipped, time: NOW - MINUTE + 1 })).toEqual(['warning'])
    expect(severities({ ...skipped, time: NOW - MINUTE })).toEqual([])
  })
})
