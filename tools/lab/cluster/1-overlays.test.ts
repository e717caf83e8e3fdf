import { readFile } from 'node:fs/promises'
import { eventually, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedCommands } from '../src/cluster/documented.ts'
import { startEventLoad } from '../src/cluster/load/event-load.ts'
import { CRASHES, changeSink, isServed, makeSinks, remakeSink, removeSinks, restarts } from '../src/cluster/sinks.ts'
import { emptySystem } from '../src/cluster/system.ts'
import { REPOSITORY } from '../src/harness/apps.ts'
import { gatewayUrl, kubectl, podsOf, shell } from '../src/harness/kubectl.ts'

const page = await readFile(new URL('deploy/cluster.md', REPOSITORY), 'utf8')

/** True for a line that `.ci/cluster up` ran already: images are in the cluster. */
const isDone = (line: string) => /^(pnpm images|kind )/.test(line)

/** True when the cluster has triggers of the version that the overlay for old Knatives is for. */
async function hasOldTriggers(): Promise<boolean> {
  // `api-resources` lists only the version that a group prefers.
  const group = await kubectl(['get', '--raw', '/apis/eventing.knative.dev/v1beta1']).catch(() => '{"resources":[]}')
  return (JSON.parse(group) as { resources: { name: string }[] }).resources.some(({ name }) => name === 'triggers')
}

async function follow(heading: string): Promise<void> {
  for (const line of documentedCommands(page, heading)) {
    if (isDone(line) || (line.includes('knative-v1beta1') && !(await hasOldTriggers()))) continue
    // Objects that are created once are there when the tests run again on the same cluster.
    await shell(line).catch((error: Error) => {
      if (!error.message.includes('AlreadyExists') && !error.message.includes('already exists')) throw error
    })
  }
}

/** `NAME: CONDITION=STATUS` of all objects of a kind. */
async function statuses(namespace: string, kind: string, condition: string): Promise<readonly string[]> {
  const range = `{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="${condition}")].status} {end}`
  return (await kubectl(['-n', namespace, 'get', kind, '-o', `jsonpath=${range}`])).trim().split(' ').toSorted()
}

/** The rows that `kubectl get` lists, by the names of their columns. */
async function listed(kind: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [head = '', ...rows] = (await kubectl(['get', kind])).trimEnd().split('\n')
  const columns = [...head.matchAll(/\S+ */g)].map(({ 0: { length }, index, 0: name }) => ({ index, length, name }))
  return rows.map((row) => {
    const cells = columns.map(({ index, length, name }) => [
      name.trim(),
      row.slice(index, name.endsWith(' ') ? index + length : undefined).trim(),
    ])
    return Object.fromEntries(cells) as Record<string, string>
  })
}

const sinkUrl = (name: string) => `http://${name}.default.svc.cluster.local`

describe('the development overlay, by the lines of cluster.md', () => {
  beforeAll(async () => {
    // Three brokers of a run before cannot become one.
    await emptySystem()
    await follow('## Development')
  })

  it('every deployment is Available, and every pod Ready', async () => {
    expect(await statuses('taproom', 'deployment', 'Available')).toEqual(
      [
        'beer-generator',
        'beer-standin',
        'beer-stream',
        'claim-api',
        'film-standin',
        'movie-api',
        'price-generator',
      ].map((name) => `${name}=True`),
    )
    const pods = (await statuses('taproom', 'pods', 'Ready')).filter((pod) => !pod.startsWith('movie-api-migration'))
    expect(pods.filter((pod) => !pod.endsWith('=True'))).toEqual([])
  })

  it('the migration ran once', async () => {
    expect(await statuses('taproom', 'job', 'Complete')).toEqual(['movie-api-migration=True'])
  })

  it('the Gateway has an address, where the system answers', async () => {
    const response = await fetch(`${await gatewayUrl()}/movie`)
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(6)
  })
})

describe('the overlay of Knative, by the lines of cluster.md', () => {
  beforeAll(async () => {
    await removeSinks()
    await follow('## Knative')
  })

  it('lists the resources of the contract, all Ready', async () => {
    expect(await statuses('default', 'broker', 'Ready')).toEqual(['default=True'])
    expect(await statuses('default', 'trigger', 'Ready')).toEqual(['aloha=True', 'bonjour=True'])
    expect(await statuses('default', 'service.serving.knative.dev', 'Ready')).toEqual([
      'eventingaloha=True',
      'eventingbonjour=True',
    ])
  })

  it('contract 2.8 to 2.10: kubectl lists where brokers, triggers and sinks are, and whether they work', async () => {
    // Knative's brokers share an ingress: theirs is not the address that the contract has.
    const broker = 'http://broker-ingress.knative-eventing.svc.cluster.local/default/default'
    expect(await listed('broker')).toMatchObject([{ NAME: 'default', URL: broker, READY: 'True' }])
    const trigger = { BROKER: 'default', READY: 'True' }
    expect(await listed('trigger')).toMatchObject([
      { NAME: 'aloha', SUBSCRIBER_URI: sinkUrl('eventingaloha'), ...trigger },
      { NAME: 'bonjour', SUBSCRIBER_URI: sinkUrl('eventingbonjour'), ...trigger },
    ])
    expect(await listed('service.serving.knative.dev')).toMatchObject([
      { NAME: 'eventingaloha', URL: sinkUrl('eventingaloha'), LATESTREADY: 'eventingaloha-v1', READY: 'True' },
      { NAME: 'eventingbonjour', URL: sinkUrl('eventingbonjour'), LATESTREADY: 'eventingbonjour-v1', READY: 'True' },
    ])
  })

  it('sinks go to zero when nothing comes', async () => {
    await eventually(async () => expect(await podsOf('default', 'serving.knative.dev/service')).toEqual([]), {
      timeoutMs: 120_000,
      intervalMs: 1000,
    })
  })
})

describe('a sink that has never worked', () => {
  afterAll(() => makeSinks())

  it('is not Ready while it crashes, nor is its trigger, until it is mended', async () => {
    // A trigger of Knative's that was Ready once stays so, even when its subscriber is deleted.
    const trigger = await kubectl(['get', 'trigger', 'aloha', '-o', 'json'])
    await kubectl(['delete', 'trigger', 'aloha'])
    await remakeSink('eventingaloha', 'eventingaloha-crashes', { command: CRASHES })
    const { apiVersion, kind, metadata, spec } = JSON.parse(trigger)
    const { name, namespace } = metadata
    await kubectl(
      ['apply', '--filename', '-'],
      JSON.stringify({ apiVersion, kind, metadata: { name, namespace }, spec }),
    )
    const wait = { timeoutMs: 180_000, intervalMs: 1000 }
    await waitFor('the crashes', async () => (await restarts('eventingaloha-crashes')) >= 2, wait)
    expect(await statuses('default', 'service.serving.knative.dev', 'Ready')).not.toContain('eventingaloha=True')
    const triggers = await statuses('default', 'trigger', 'Ready')
    expect(triggers).toContain('bonjour=True')
    expect(triggers).not.toContain('aloha=True')
    await changeSink('eventingaloha', 'eventingaloha-mended')
    await isServed('eventingaloha', 'eventingaloha-mended')
    await kubectl(['wait', '--for=condition=Ready', 'trigger/aloha', '--timeout=120s'])
  })
})

describe('a sink that only crashes, whose trigger was Ready', () => {
  afterAll(() => makeSinks())

  it('its events wait, and none is lost when it is mended', async () => {
    await remakeSink('eventingaloha', 'eventingaloha-crashes', { command: CRASHES })
    await using events = await startEventLoad({ perSecond: 2 })
    const wait = { timeoutMs: 180_000, intervalMs: 1000 }
    await waitFor('the crashes', async () => (await restarts('eventingaloha-crashes')) >= 2, wait)
    const gotTen = async () => ((await events.deliveries())['eventingbonjour']?.size ?? 0) > 10
    await waitFor('the other sink to get events', gotTen, wait)
    const { eventingaloha, eventingbonjour } = await events.deliveries()
    expect(eventingaloha).toBeUndefined()
    await changeSink('eventingaloha', 'eventingaloha-mended')
    await isServed('eventingaloha', 'eventingaloha-mended')
    // Knative's in-memory channel accepts an event when both sinks have it, so that until then it is the sender who waits.
    const notAccepted = () => [...(eventingbonjour?.keys() ?? [])].filter((id) => !events.accepted.has(id))
    await eventually(() => expect(notAccepted()).toEqual([]), { timeoutMs: 180_000, intervalMs: 1000 })
    expect(await events.lost()).toEqual([])
  })
})
