import { createKafka, createTopicAdmin } from '@taproom/messaging'
import { startHttpServer, startKafka, type TestHttpServer, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

describe('triggers over a restart of the platform', () => {
  let kafka: TestKafka
  let subscriber: TestHttpServer
  beforeAll(async () => {
    subscriber = await startHttpServer((_req, res) => void res.writeHead(202).end())
    kafka = await startKafka()
  })
  afterAll(async () => {
    await kafka?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  const trigger = (name: string, retry: number) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${subscriber.url}/${name}" }, delivery: { retry: ${retry} } }
`
  const BROKER = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n'
  const run = async (triggers: Record<string, string>) => {
    const files = { '1.yaml': BROKER, ...triggers }
    const running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files })
    await running.ready()
    return running
  }
  /** Posts an event and waits until a trigger's subscriber has it. */
  const postTo = async (name: string, { url }: RunningPlatform) => {
    const headers = eventHeaders()
    expect((await send(`${url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    await waitFor(`${name} has it`, () => idsAt(name).includes(headers['ce-id']))
    return headers['ce-id']
  }
  const groupIds = async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    await using admin = createTopicAdmin(
      createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log }),
    )
    return await admin.groupIds()
  }
  const idsAt = (name: string) =>
    subscriber.requests.filter(({ url }) => url === `/${name}`).map(({ headers }) => headers['ce-id'])

  it('one that was removed while the platform did not run is a new one when it comes back', async () => {
    const kept = { 'kept.yaml': trigger('kept', 0) }
    await run({ ...kept, 'gone.yaml': trigger('gone', 0) }).then((running) => running[Symbol.asyncDispose]())
    let between: unknown
    {
      await using running = await run(kept)
      between = await postTo('kept', running)
      await waitFor(
        'the group to be forgotten',
        async () => !(await groupIds()).includes('knative-trigger.default.gone'),
      )
    }
    await using running = await run({ ...kept, 'gone.yaml': trigger('gone', 0) })
    await postTo('gone', running)
    expect(idsAt('gone')).not.toContain(between)
  })

  it('one whose manifest cannot be read keeps its place', async () => {
    const others = { 'kept.yaml': trigger('other', 0) }
    await run({ ...others, 'broken.yaml': trigger('broken', 0) }).then((running) => running[Symbol.asyncDispose]())
    let between: unknown
    {
      await using running = await run({ ...others, 'broken.yaml': trigger('broken', -1) })
      between = await postTo('other', running)
    }
    await using running = await run({ ...others, 'broken.yaml': trigger('broken', 0) })
    await postTo('broken', running)
    expect(idsAt('broken')).toContain(between)
  })
})
