import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKafka, createTopicAdmin } from '@taproom/messaging'
import { startHttpServer, startKafka, type TestHttpServer, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

describe.concurrent('triggers over a restart of the platform', () => {
  let kafka: TestKafka
  let subscriber: TestHttpServer
  let folder: string
  const away = new Set<string>()
  beforeAll(async () => {
    subscriber = await startHttpServer((req, res) => void res.writeHead(away.has(req.url ?? '') ? 503 : 202).end())
    kafka = await startKafka()
    folder = await mkdtemp(join(tmpdir(), 'installations-'))
  })
  afterAll(async () => {
    await kafka?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const trigger = (name: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${subscriber.url}/${name}" }, delivery: { retry: 10 } }
`
  const BROKER = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n'
  /** One life of an installation, which remembers its resources under its name; without one it remembers nothing. */
  const run = async (triggers: Record<string, string>, installation?: string) => {
    const files = { '1.yaml': BROKER, ...triggers }
    const env = installation === undefined ? {} : { RESOURCES_FILE: join(folder, `${installation}.json`) }
    const running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files, env })
    await running.ready()
    return running
  }
  const runOnce = async (triggers: Record<string, string>, installation?: string) => {
    await using _running = await run(triggers, installation)
  }
  const post = async ({ url }: RunningPlatform) => {
    const headers = eventHeaders()
    expect((await send(`${url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    return headers['ce-id']
  }
  /** Posts an event and waits until a trigger's subscriber has it. */
  const postTo = async (name: string, running: RunningPlatform) => {
    const id = await post(running)
    await waitFor(`${name} has it`, () => idsAt(name).includes(id))
    return id
  }
  /** Where a trigger's group is; undefined when Kafka knows none. */
  const placeOf = async (name: string) => {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const client = createKafka({ clientId: 'test', bootstrapServers: kafka.bootstrapServers, log })
    await using admin = createTopicAdmin(client)
    return (await admin.committedOffsets(`knative-trigger.default.${name}`, 'knative-broker.default.default'))[0]
  }
  const idsAt = (name: string) =>
    subscriber.requests.filter(({ url }) => url === `/${name}`).map(({ headers }) => headers['ce-id'])

  it('one that was removed while the platform did not run is a new one when it comes back', async () => {
    const kept = { 'kept.yaml': trigger('kept') }
    await runOnce({ ...kept, 'gone.yaml': trigger('gone') }, 'first')
    let between: string | undefined
    {
      await using running = await run(kept, 'first')
      between = await postTo('kept', running)
      await waitFor('the group to be forgotten', async () => (await placeOf('gone')) === undefined)
    }
    await using running = await run({ ...kept, 'gone.yaml': trigger('gone') }, 'first')
    await postTo('gone', running)
    expect(idsAt('gone')).not.toContain(between)
  })

  it.each(['second', undefined])(
    'decisions 1.51, 1.55: another installation (%s) leaves it what was accepted',
    async (second) => {
      const name = `mine-${second}`
      const files = { 'mine.yaml': trigger(name) }
      away.add(`/${name}`)
      let accepted: string | undefined
      {
        await using running = await run(files)
        accepted = await post(running)
        await waitFor('a first attempt', () => idsAt(name).includes(accepted))
      }
      const others = { 'other.yaml': trigger(`other-${second}`) }
      {
        await using running = await run({ ...others, 'left.yaml': trigger(`left-${second}`) }, second)
        await postTo(`other-${second}`, running)
      }
      {
        await using running = await run(others, second)
        if (second)
          await waitFor('its own to be forgotten', async () => (await placeOf(`left-${second}`)) === undefined)
        await postTo(`other-${second}`, running)
      }
      const before = idsAt(name).length
      away.delete(`/${name}`)
      await using _running = await run(files)
      await waitFor('what was accepted', () => idsAt(name).slice(before).includes(accepted))
    },
  )

  it('one whose manifest cannot be read keeps its place', async () => {
    const others = { 'kept.yaml': trigger('other') }
    await runOnce({ ...others, 'broken.yaml': trigger('broken') }, 'third')
    let between: string | undefined
    {
      await using running = await run(
        { ...others, 'broken.yaml': trigger('broken').replace('Trigger', 'Triger') },
        'third',
      )
      between = await postTo('other', running)
    }
    await using running = await run({ ...others, 'broken.yaml': trigger('broken') }, 'third')
    await postTo('broken', running)
    expect(idsAt('broken')).toContain(between)
  })
})
