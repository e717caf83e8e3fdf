import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { eventually, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type EventSubscriber, startSubscriber } from './event-subscriber.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const TRIGGER = '/apis/eventing.knative.dev/v1/namespaces/default/triggers/drinks'

/** A trigger for ales, and one for all. */
function filesFor(url: string): Record<string, string> {
  const trigger = (name: string, filter: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${url}/${name}" }${filter} }
`
  return {
    '1.yaml': 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n',
    '2.yaml': trigger('drinks', ', filter: { attributes: { type: ale } }'),
    '3.yaml': trigger('all', ''),
  }
}

function clientOf(running: RunningPlatform, subscriber: EventSubscriber) {
  return {
    /** Events whose type is the first part of their id; waits until the trigger for all has them. */
    async post(...ids: string[]) {
      for (const id of ids) {
        const headers = eventHeaders({ 'ce-id': id, 'ce-type': id.split('-')[0] ?? '' })
        expect((await send(`${running.url}/default/default`, { headers, body: '{}' })).status).toBe(202)
      }
      await waitFor('all of them', () => ids.every((id) => subscriber.deliveriesOf(id, '/all').length === 1))
    },
    /** Changes the trigger for ales, and waits until that is in force. */
    async change(patch: object) {
      const headers = { 'content-type': 'application/merge-patch+json' }
      const url = running.kubeUrl + TRIGGER
      expect((await send(url, { method: 'PATCH', headers, body: JSON.stringify(patch) })).status).toBe(200)
      await waitFor('the trigger to be looked at', async () => {
        const { metadata, status } = JSON.parse((await send(url, { method: 'GET' })).body)
        return status.observedGeneration === metadata.generation
      })
    },
    async counted(result: string) {
      const { body } = await send(`${running.url}/q/metrics`, { method: 'GET' })
      const line = new RegExp(`^event_trigger_events_total.*"default/drinks",result="${result}"} (\\d+)$`, 'm')
      return Number(line.exec(body)?.[1])
    },
  }
}

it('events are filtered by what a trigger wants now, and each of them is counted', async () => {
  await using kafka = await startEmbeddedKafka()
  await using subscriber = await startSubscriber()
  await using running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files: filesFor(subscriber.url) })
  await running.ready()
  const { post, change, counted } = clientOf(running, subscriber)
  await post('ale-1', 'stout-1', 'stout-2', 'stout-3', 'ale-2')
  await change({ spec: { filter: { attributes: { type: 'stout' } } } })
  await post('ale-3', 'stout-4', 'ale-4')
  const delivered = () => subscriber.deliveries.filter(({ path }) => path === '/drinks').map(({ id }) => id)
  await waitFor('the last one', () => delivered().includes('stout-4'))
  expect(delivered().toSorted()).toEqual(['ale-1', 'ale-2', 'stout-4'])
  await eventually(async () => expect([await counted('filtered'), await counted('delivered')]).toEqual([5, 3]))
})

it('an event that comes while a trigger takes another order and filter is for the new filter', async () => {
  await using kafka = await startEmbeddedKafka()
  await using subscriber = await startSubscriber()
  const release = Promise.withResolvers<void>()
  subscriber.answer('/drinks', (res) => void release.promise.then(() => res.writeHead(202).end()))
  await using running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files: filesFor(subscriber.url) })
  await running.ready()
  const { post, change } = clientOf(running, subscriber)
  await post('ale-1')
  await waitFor('the ale', () => subscriber.deliveriesOf('ale-1', '/drinks').length === 1)
  await change({
    metadata: { annotations: { 'kafka.eventing.knative.dev/delivery.order': 'ordered' } },
    spec: { filter: { attributes: { type: 'stout' } } },
  })
  await post('stout-1')
  release.resolve()
  await waitFor('the stout', () => subscriber.deliveriesOf('stout-1', '/drinks').length === 1)
})
