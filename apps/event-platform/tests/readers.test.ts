import { createKafka } from '@taproom/messaging'
import { createLogger } from '@taproom/service'
import { startHttpServer, startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { runPlatform } from './running-platform.ts'

const TOPIC = 'knative-broker.default.default'
const TRIGGERS = ['one', 'two']
const EVENTS = 20

it('decisions 3.122: a topic has one reader for all triggers, and two platforms share its partitions', async () => {
  await using kafka = await startKafka()
  await using subscriber = await startHttpServer((_req, res) => void res.writeHead(202).end())
  const trigger = (name: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${subscriber.url}/${name}" } }
`
  const files = {
    '1.yaml': 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n',
    ...Object.fromEntries(TRIGGERS.map((name) => [`${name}.yaml`, trigger(name)])),
  }
  const { bootstrapServers } = kafka
  const log = createLogger('test', { level: 'silent' })
  const admin = createKafka({ clientId: 'test', bootstrapServers, log }).kafkajs.admin()
  await admin.connect()
  const groups = [TOPIC, ...TRIGGERS.map((name) => `knative-trigger.default.${name}`)]
  const members = async () => {
    const described = (await admin.describeGroups(groups)).groups
    return groups.map((groupId) => described.find((group) => group.groupId === groupId)?.members.length)
  }
  /** Sends events, and waits until the offsets behind them are stored for each trigger. */
  const post = async (url: string, ids: readonly string[], sum: number) => {
    for (const id of ids)
      expect(
        (await send(`${url}/default/default`, { headers: eventHeaders({ 'ce-id': id }), body: '{}' })).status,
      ).toBe(202)
    for (const groupId of groups.slice(1)) {
      await waitFor('the offsets', async () => {
        const [entry] = await admin.fetchOffsets({ groupId, topics: [TOPIC] })
        return entry?.partitions.reduce((all, { offset }) => all + Math.max(0, Number(offset)), 0) === sum
      })
    }
  }
  const ids = Array.from({ length: 2 * EVENTS }, (_, index) => String(index))
  await using first = await runPlatform({ bootstrapServers, files })
  await first.ready()
  await post(first.url, ids.slice(0, EVENTS), EVENTS)
  expect(await members()).toEqual([1, 0, 0])
  {
    await using second = await runPlatform({ bootstrapServers, files })
    await second.ready()
    await waitFor('both to read', async () => {
      const [readers] = (await admin.describeGroups([TOPIC])).groups
      return readers?.state === 'Stable' && readers.members.length === 2
    })
    await post(second.url, ids.slice(EVENTS), 2 * EVENTS)
    expect(await members()).toEqual([2, 0, 0])
  }
  await admin.disconnect()
  for (const name of TRIGGERS) {
    const got = subscriber.requests.filter(({ url }) => url === `/${name}`).map(({ headers }) => headers['ce-id'])
    expect(got.toSorted()).toEqual(ids.toSorted())
  }
})
