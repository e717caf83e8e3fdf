import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { startShop } from './fixtures/started-shop.ts'

const BELL = "triggers: { bell: { filter: { type: 'opened' } } } },"
const SYSTEM = `import { defineSystem, eventPlatform, kafka } from '@taproom/system'

export const system = defineSystem({
  name: 'Shop',
  apps: { 'event-platform': eventPlatform(kafka) },
  sinks: {
    bell: { app: 'bell-sink', ${BELL}
  },
  tryIt: (url) => Array(4).fill('curl ' + url),
})
`
/** It says which events it gets, and takes no fire but as a dead letter. */
const SINK = `import { createServer } from 'node:http'

const server = createServer((req, res) => {
  if (req.method === 'POST') console.log(JSON.stringify({ level: 'info', msg: 'rung by ' + req.headers['ce-type'] }))
  req.resume()
  res.statusCode = req.headers['ce-type'] === 'fire' && req.headers['ce-knativeerrorcode'] === undefined ? 400 : 200
  res.end()
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(JSON.stringify({ level: 'info', msg: 'bell-sink ready', port }))
})
process.on('SIGTERM', () => server.close())
`
const WRITTEN =
  '# Written by `pnpm generate` from system.ts: change that, not this. Without this line the file is yours.\n'
const trigger = (name: string, type: string) => `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec:
  broker: default
  filter: { attributes: { type: ${type} } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: bell } }
`

describe('pnpm start of a system with sinks', () => {
  let run: Awaited<ReturnType<typeof startShop>>
  let place: (typeof run)['place']
  let shop: (typeof run)['shop']
  let start: (typeof run)['start']
  beforeAll(async () => {
    run = await startShop({
      'system.ts': SYSTEM,
      'apps/bell-sink/package.json': '{"name":"bell-sink","private":true,"type":"module"}',
      'apps/bell-sink/src/main.ts': SINK,
      'deploy/knative/400-trigger-bell.yaml': WRITTEN + trigger('bell', 'stale'),
      'deploy/knative/400-trigger-gone.yaml': WRITTEN + trigger('gone', 'gone'),
      'deploy/knative/500-mine.yaml': trigger('mine', 'mine'),
    })
    ;({ place, shop, start } = run)
  })
  afterAll(() => run?.[Symbol.asyncDispose]())

  interface Listed {
    readonly items: readonly {
      readonly metadata: { readonly name: string }
      readonly spec: { readonly filter?: { readonly attributes: { readonly type: string } } }
      readonly status?: { readonly conditions: readonly { readonly type: string; readonly status: string }[] }
    }[]
  }
  /** The types that the triggers which are ready want, or `all`, by their names. */
  async function triggers(): Promise<Readonly<Record<string, string>>> {
    const api = `http://127.0.0.1:${place.variables['KUBE_PORT']}/apis/eventing.knative.dev/v1/triggers`
    const { items } = (await (await fetch(api)).json()) as Listed
    const ready = items.filter(({ status }) =>
      status?.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    )
    return Object.fromEntries(ready.map(({ metadata, spec }) => [metadata.name, spec.filter?.attributes.type ?? 'all']))
  }
  const triggersToBe = (wanted: Readonly<Record<string, string>>) =>
    waitFor(`triggers ${JSON.stringify(wanted)}`, async () => {
      const now = await triggers()
      return JSON.stringify(Object.entries(now).toSorted()) === JSON.stringify(Object.entries(wanted).toSorted())
    })
  const rung = () => [...start.stdout().matchAll(/rung by (\w+)/g)].map(([, type]) => type)
  async function send(type: string, broker = 'default'): Promise<void> {
    const headers = { 'ce-id': type, 'ce-source': 'test', 'ce-specversion': '1.0', 'ce-type': type }
    const response = await fetch(`${place.url}/brokers/default/${broker}`, { method: 'POST', headers })
    expect(response.status).toBe(202)
  }

  it('decisions 3.107, 3.108: runs the filter of the description in place of a stale file, and what people wrote', async () => {
    await triggersToBe({ bell: 'opened', mine: 'mine' })
    expect(start.stdout()).toMatch(/"changed":\[[^\]]*400-trigger-bell.yaml[^\]]*400-trigger-gone.yaml/)
    for (const type of ['stale', 'gone', 'opened']) await send(type)
    await waitFor('the event', () => rung().length > 0)
    expect(rung()).toEqual(['opened'])
  })

  it('decisions 3.194: kills an instance of a sink by the name of pnpm service list, and the next event has another', async () => {
    const rings = rung().length
    const { answer } = await controlOf(place.variables).kill('default/bell')
    expect(answer).toEqual({ sink: { name: 'default/bell', instances: 1 } })
    await send('opened')
    await waitFor('the event', () => rung().length > rings)
  })

  it('decisions 3.21, 3.149: has a changed filter and another sink in force at once, without a start of anything', async () => {
    const pids = async () => (await controlOf(place.variables).list()).map(({ name, pid }) => [name, pid])
    const before = await pids()
    const alarm = "alarm: { app: 'bell-sink', triggers: { alarm: { filter: { type: 'fire' } } } },"
    await shop.swap('system.ts', SYSTEM.replace(BELL, `${BELL.replace('opened', 'closed')}\n    ${alarm}`))
    await triggersToBe({ alarm: 'fire', bell: 'closed', mine: 'mine' })
    const rings = rung().length
    for (const type of ['opened', 'closed']) await send(type)
    await waitFor('the event', () => rung().length > rings)
    expect(rung().slice(rings)).toEqual(['closed'])
    expect(await pids()).toEqual(before)
  })

  it('decisions 3.21, 3.108: takes up what people write in deploy/knative, and writes a stale file again', async () => {
    await shop.swap('deploy/knative/400-trigger-alarm.yaml', WRITTEN + trigger('alarm', 'stale'))
    await waitFor('it to be written again', async () =>
      (await shop.read('deploy/knative/400-trigger-alarm.yaml')).includes('fire'),
    )
    await shop.swap('deploy/knative/400-trigger-bell.yaml', trigger('bell', 'knocked'))
    await triggersToBe({ alarm: 'fire', bell: 'knocked', mine: 'mine' })
  })

  it('decisions 3.153: runs several triggers of a sink, with another broker, filters, delivery and dead letter sink', async () => {
    const described = [
      'triggers: {',
      "  bell: { filter: { type: 'opened' } },",
      "  tower: { broker: 'tower', filters: [{ any: [{ prefix: { type: 'fi' } }, { cesql: 'FALSE' }] }],",
      "    delivery: { retry: 1, backoffPolicy: 'linear', backoffDelay: 'PT0.1S', timeout: 'PT5S' }, deadLetterSink: 'bell' },",
      '} },',
    ]
    await shop.swap('system.ts', SYSTEM.replace(BELL, described.join('\n')))
    await triggersToBe({ bell: 'knocked', mine: 'mine', tower: 'all' })
    const rings = rung().length
    await send('fire', 'tower')
    await waitFor('the dead letter', () => rung().length >= rings + 2)
    expect(rung().slice(rings)).toEqual(['fire', 'fire'])
  })
})
