import { describe, expect, it } from 'vitest'
import { type Renaming, renamedPath, renamedText } from './renaming.ts'

const service: Renaming = { kind: 'service', from: 'orders', to: 'wine-orders' }
const sink: Renaming = { kind: 'sink', from: 'ciao', to: 'salve' }

describe('a service with another name', () => {
  it.each([
    ["import { startOrders } from './orders.ts'", "import { startWineOrders } from './wine-orders.ts'"],
    ["import { ordersRoutes } from './orders-routes.ts'", "import { wineOrdersRoutes } from './wine-orders-routes.ts'"],
    [
      "void runService('orders', readConfig, startOrders)",
      "void runService('wine-orders', readConfig, startWineOrders)",
    ],
    ['openOrdersDatabase(startOrdersProcess())', 'openWineOrdersDatabase(startWineOrdersProcess())'],
  ])('has it in %s', (text, expected) => {
    expect(renamedText('src/main.ts', text, service)).toBe(expected)
  })

  it.each([
    "route('/orders')",
    "channel: 'orders-out'",
    "createTable('orders')",
    "import { orders } from './orders-of-others.ts'",
    'const ordersTotal = startOrdersLater()',
    "read.url('ORDERS_REMOTE_URL')",
    "greeting: 'Orders'",
  ])('keeps %s, which others may know', (text) => {
    expect(renamedText('src/main.ts', text, service)).toBe(text)
  })

  it('has it in its package and its README', () => {
    expect(renamedText('package.json', '{ "name": "@shop/orders" }', service)).toBe('{ "name": "@shop/wine-orders" }')
    const readme = '# orders\n\n`GET /orders`\n\npnpm --filter ./apps/orders test\n'
    const expected = '# wine-orders\n\n`GET /orders`\n\npnpm --filter ./apps/wine-orders test\n'
    expect(renamedText('README.md', readme, service)).toBe(expected)
  })

  it.each([
    ['src/orders.ts', 'src/wine-orders.ts'],
    ['tests/orders-process.ts', 'tests/wine-orders-process.ts'],
    ['tests/orders.test.ts', 'tests/wine-orders.test.ts'],
    ['src/orders-of-others.ts', 'src/orders-of-others.ts'],
    ['src/config.ts', 'src/config.ts'],
  ])('has %s as %s', (path, expected) => {
    expect(renamedPath(path, service)).toBe(expected)
  })
})

describe('a sink with another name', () => {
  it.each([
    ['src/ciao-sink.ts', 'src/salve-sink.ts'],
    ['tests/ciao-sink.test.ts', 'tests/salve-sink.test.ts'],
    ['src/ciao.ts', 'src/ciao.ts'],
  ])('has %s as %s', (path, expected) => {
    expect(renamedPath(path, sink)).toBe(expected)
  })

  it('has it in its imports and functions', () => {
    const text = "import { openCiaoSink } from './ciao-sink.ts'\nopenCiaoDatabase(ciaoTable)"
    const expected = "import { openSalveSink } from './salve-sink.ts'\nopenSalveDatabase(ciaoTable)"
    expect(renamedText('src/main.ts', text, sink)).toBe(expected)
  })

  it('has it in its identity', () => {
    const text = "void runSink({ app: 'ciao-sink', sink: 'ciao' })"
    expect(renamedText('src/main.ts', text, sink)).toBe("void runSink({ app: 'salve-sink', sink: 'salve' })")
  })
})
