import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { startShop } from './fixtures/started-shop.ts'
import { runStartOf, waitUntilReady } from './fixtures/system.ts'

const SYSTEM = `import { database, defineSystem, eventPlatform, kafka } from '@taproom/system'

export const system = defineSystem({
  name: 'Shop',
  apps: { 'event-platform': eventPlatform(kafka) },
  sinks: {
    ledger: {
      app: 'ledger-sink',
      triggers: { ledger: {} },
      needs: [database],
      keeps: ['receipts'],
      env: ({ kept }) => ({ RECEIPTS: kept('receipts'), API_KEY: 'a-secret-key' }),
    },
  },
  tryIt: (url) => Array(4).fill('curl ' + url),
})
`
/** It writes a file where its variables say. */
const SINK = `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PORT, DATABASE_URL, RECEIPTS, API_KEY } = process.env
const server = createServer((req, res) => {
  req.resume()
  writeFileSync(String(RECEIPTS), API_KEY + ' ' + DATABASE_URL)
  writeFileSync(String(DATABASE_URL).replace('sqlite:', ''), '')
  res.end()
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(JSON.stringify({ level: 'info', msg: 'ledger-sink ready', port }))
})
process.on('SIGTERM', () => server.close())
`

it('decisions 3.153: gives a sink its needs and state under pnpm start, without secrets in logs; --fresh removes it', async () => {
  await using run = await startShop({
    'system.ts': SYSTEM,
    'apps/ledger-sink/package.json': '{"name":"ledger-sink","private":true,"type":"module"}',
    'apps/ledger-sink/src/main.ts': SINK,
  })
  const { place, shop, start } = run
  const headers = { 'ce-id': '1', 'ce-source': 'test', 'ce-specversion': '1.0', 'ce-type': 'any' }
  const posted = await fetch(`${place.url}/sinks/ledger`, { method: 'POST', headers })
  expect(posted.status).toBe(200)
  const state = place.variables['TAPROOM_STATE_DIR'] ?? ''
  const files = ['receipts', 'ledger-sink.sqlite'].map((name) => join(state, name))
  await waitFor('its files', () => files.every((file) => existsSync(file)))
  expect(start.stdout() + start.stderr()).not.toContain('a-secret-key')
  expect(await shop.read('deploy/knative/300-ledger.yaml')).not.toContain('a-secret-key')

  start.signal('SIGTERM')
  await start.exit
  await using again = runStartOf(shop.root, { ...place.variables, CONSOLE_ENABLED: 'false' }, '--fresh')
  await waitUntilReady(again)
  expect(files.filter((file) => existsSync(file))).toEqual([])
})
