import { eventually } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createLogStore } from '../../src/logs/log-store.ts'
import { createOverview } from '../../src/picture/overview.ts'
import { Traffic } from '../../src/picture/traffic.ts'
import { openTraces, sendSpans } from '../fixtures/spans.ts'

const CLIENT = 3
const FILMS = { 'server.address': '127.0.0.1', 'server.port': 4000 }

it('decisions 3.174: an edge is marked as declared until a call is seen', async () => {
  await using opened = new AsyncDisposableStack()
  const { store, url } = opened.use(await openTraces())
  const picture = createOverview({
    traffic: opened.use(new Traffic(store)),
    system: async () => ({ url: 'http://127.0.0.1:1', apps: [{ name: 'shop', serves: [], standIns: ['films'] }] }),
    eventing: { read: () => Promise.reject(new Error('none')) },
    services: async () => [
      { name: 'shop', kind: 'app', state: 'ready', port: 4001, failing: [] },
      { name: 'films', kind: 'stand-in', state: 'ready', port: 4000, failing: [] },
    ],
    breakers: { read: async () => [] },
    logs: createLogStore(),
  })
  const edges = async () => (await picture.read()).edges
  expect(await edges()).toMatchObject([{ from: 'service/shop', to: 'remote/films', isDeclared: true }])
  await sendSpans({ url }, { trace: 1, span: 1, service: 'shop', kind: CLIENT, attributes: FILMS })
  await eventually(async () => {
    const [edge] = await edges()
    expect(edge).toMatchObject({ from: 'service/shop', to: 'remote/films' })
    expect(edge).not.toHaveProperty('isDeclared')
  })
})
