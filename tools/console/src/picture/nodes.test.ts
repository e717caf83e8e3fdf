import { expect, it } from 'vitest'
import { nodesOf } from './nodes.ts'
import type { PictureService } from './places.ts'

const SYSTEM = { url: 'http://127.0.0.1:1' }
const orders: PictureService = { name: 'orders', kind: 'app', state: 'ready', port: 4001, failing: [] }
const node = (service: PictureService, ...reloaded: readonly string[]) =>
  nodesOf({
    ...{ services: [service], eventing: { brokers: [], triggers: [], sinks: [] }, system: SYSTEM, edges: [] },
    reloaded: new Set(reloaded),
  }).find(({ id }) => id === 'service/orders')

it('a service that has just taken up changed sources says so', () => {
  expect(node(orders, 'orders')).toMatchObject({ state: 'up', reason: 'runs changed sources' })
  expect(node(orders, 'prices')).not.toHaveProperty('reason')
})

it('a service that is not ready says why, also after its sources changed', () => {
  const failing = [{ name: 'Database', status: 'DOWN' as const }]
  expect(node({ ...orders, state: 'not ready', failing }, 'orders')).toMatchObject({ reason: 'not ready: Database' })
})
