import { describe, expect, it } from 'vitest'
import { NewUsageError } from '../new/errors.ts'
import { renamedSystem } from './renamed-system.ts'

const SYSTEM = `export const system = defineSystem({
  apps: {
    orders: {
      config: () => import('./apps/orders/src/config.ts'),
      serves: ['/orders', '/orders/*'],
      needs: [remoteService('orders-remote', { standIn: { main: 'apps/orders/tests/remote-standin-main.ts' } })],
    },
    'stock-of-orders': { config: () => import('./apps/stock-of-orders/src/config.ts') },
  },
  sinks: {
    ciao: { app: 'ciao-sink', triggers: { ciao: { filter: { type: 'ciao' } } } },
    ledger: {
      app: 'ledger-sink',
      triggers: {
        ledger: { filter: { type: 'ciao' }, deadLetterSink: 'ciao' },
      },
    },
  },
  health: 'orders',
})
`

describe('renamedSystem', () => {
  it('has a service under its new name, and the paths of its files, but not those of requests', () => {
    const text = renamedSystem(SYSTEM, { kind: 'service', from: 'orders', to: 'buys' })
    expect(text).toBe(
      SYSTEM.replace('    orders: {', "    'buys': {")
        .replaceAll('apps/orders/', 'apps/buys/')
        .replace("health: 'orders'", "health: 'buys'"),
    )
  })

  it('has a sink, its app and its trigger under the new name, but not the type of its events', () => {
    const text = renamedSystem(SYSTEM, { kind: 'sink', from: 'ciao', to: 'salve' })
    expect(text).toContain("    'salve': { app: 'salve-sink', triggers: { 'salve': { filter: { type: 'ciao' } } } },")
    expect(text).toContain("ledger: { filter: { type: 'ciao' }, deadLetterSink: 'salve' },")
    expect(renamedSystem(SYSTEM, { kind: 'sink', from: 'ledger', to: 'book' })).toContain(
      "'book': {\n      app: 'book-sink',\n      triggers: {\n        'book': { filter",
    )
  })

  it.each([
    ['service', 'orders', 'stock-of-orders', 'stock-of-orders is taken'],
    ['service', 'stock', 'buys', 'has no entry stock'],
    ['sink', 'orders', 'buys', 'has no entry orders'],
  ] as const)('refuses to rename the %s %s to %s', (kind, from, to, message) => {
    const renaming = () => renamedSystem(SYSTEM, { kind, from, to })
    expect(renaming).toThrow(NewUsageError)
    expect(renaming).toThrow(message)
  })
})
