import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKafka, createTopicAdmin } from '@taproom/messaging'
import { startHttpServer, startKafka, waitFor } from '@taproom/testkit'
import { expect } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const BROKER = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n'
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Installations of the platform at one Kafka, and a subscriber with a path for each trigger. */
export type Installations = Awaited<ReturnType<typeof openInstallations>>

export async function openInstallations() {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'installations-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const away = new Set<string>()
  const subscriber = opened.use(
    await startHttpServer((req, res) => void res.writeHead(away.has(req.url ?? '') ? 503 : 202).end()),
  )
  const { bootstrapServers } = opened.use(await startKafka())

  const trigger = (name: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${subscriber.url}/${name}" }, delivery: { retry: 10 } }
`
  /** One life of an installation, which remembers its resources under its name; without one it remembers nothing. */
  const run = async (triggers: Record<string, string>, installation?: string) => {
    const files = { '1.yaml': BROKER, ...triggers }
    const env = installation === undefined ? {} : { RESOURCES_FILE: join(folder, `${installation}.json`) }
    const running = await runPlatform({ bootstrapServers, files, env })
    await running.ready()
    return running
  }
  const post = async ({ url }: RunningPlatform) => {
    const headers = eventHeaders()
    expect((await send(`${url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    return headers['ce-id']
  }
  const idsAt = (name: string) =>
    subscriber.requests.filter(({ url }) => url === `/${name}`).map(({ headers }) => headers['ce-id'])
  const resources = opened.move()
  return {
    /** The paths of triggers whose subscribers answer 503. */
    away,
    trigger,
    run,
    post,
    /** The ids of the events that a trigger's subscriber was sent. */
    idsAt,
    /** Posts an event and waits until a trigger's subscriber has it. */
    async postTo(name: string, running: RunningPlatform) {
      const id = await post(running)
      await waitFor(`${name} has it`, () => idsAt(name).includes(id))
      return id
    },
    /** Where a trigger's group is; undefined when Kafka knows none. */
    async placeOf(name: string) {
      await using admin = createTopicAdmin(createKafka({ clientId: 'test', bootstrapServers, log }))
      return (await admin.committedOffsets(`knative-trigger.default.${name}`, 'knative-broker.default.default'))[0]
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** One installation has an event that its subscriber does not take yet; a second one comes, forgets a trigger of its own, and goes. */
export async function expectToKeepWhatWasAccepted(installations: Installations, second: string | undefined) {
  const { away, idsAt, placeOf, post, postTo, run, trigger } = installations
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
    if (second) await waitFor('its own to be forgotten', async () => (await placeOf(`left-${second}`)) === undefined)
    await postTo(`other-${second}`, running)
  }
  const before = idsAt(name).length
  away.delete(`/${name}`)
  await using _running = await run(files)
  await waitFor('what was accepted', () => idsAt(name).slice(before).includes(accepted))
}
