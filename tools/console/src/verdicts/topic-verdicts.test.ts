import { describe, expect, it } from 'vitest'
import { factsOf } from '../../tests/fixtures/facts.ts'
import type { ServiceView } from '../api/services.ts'
import type { TopicUse } from '../kafka/topic-uses.ts'
import { topicVerdicts } from './topic-verdicts.ts'

const service = { kind: 'app', state: 'ready', failing: [], crashes: 0, restarts: 0 } as const
const orders: ServiceView = { ...service, name: 'orders' }
const kafka: ServiceView = { ...service, name: 'kafka', port: 9092 }
const empty = (name: string, ...readers: string[]): TopicUse => ({
  name,
  isWritten: false,
  readers,
  isRead: readers.length > 0,
})
const written = (name: string, isRead = false): TopicUse => ({ name, isWritten: true, readers: [], isRead })

function meant(topics: readonly TopicUse[], services: readonly ServiceView[] = [orders, kafka]) {
  const system = { ...factsOf({}).system, bootstrapServers: 'localhost:9092' }
  return topicVerdicts(factsOf({ topics, services, system })).map(({ part, evidence }) => [part, evidence['meant']])
}

describe('decisions 3.193: a topic that is read and to which nothing was written', () => {
  it('has a verdict with the topics that may be meant, the closest first', () => {
    expect(meant([empty('stock-ou', 'orders'), written('billing'), written('stock-out')])).toEqual([
      ['topic/stock-ou', 'stock-out, billing'],
    ])
    expect(meant([empty('stock-ou', 'orders'), written('stock-out', true)])).toEqual([['topic/stock-ou', 'stock-out']])
  })

  it.each([
    ['no other topic has records', [empty('stock-out', 'orders'), empty('orders-out')]],
    ['another one is that of a broker', [empty('stock-ou', 'orders'), written('knative-broker.default.stock-ou')]],
    ['all others are read', [empty('stock-out', 'orders'), written('beers', true)]],
    ['its reader is of another system', [empty('stock-ou', 'console'), written('stock-out')]],
    ['it has records', [written('stock-ou', true), written('stock-out')]],
  ])('has none where %s', (_, topics) => {
    expect(meant(topics)).toEqual([])
  })

  it('is compared with close names alone in a Kafka that pnpm start does not run', () => {
    const topics = [empty('stock-ou', 'orders'), written('billing'), written('stock-out')]
    expect(meant(topics, [orders])).toEqual([['topic/stock-ou', 'stock-out']])
  })
})
