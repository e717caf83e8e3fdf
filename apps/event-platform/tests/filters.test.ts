import { startKafka, waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { startSubscriber } from './event-subscriber.ts'
import { runPlatform } from './running-platform.ts'

const TRIGGER = '/apis/eventing.knative.dev/v1/namespaces/default/triggers/drinks'

it('events are filtered by what a trigger wants now, and each of them is counted', async () => {
  await using kafka = await startKafka()
  await using subscriber = await startSubscriber()
  const trigger = (name: string, filter: string) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, subscriber: { uri: "${subscriber.url}/${name}" }${filter} }
`
  const files = {
    '1.yaml': 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n',
    '2.yaml': trigger('drinks', ', filter: { attributes: { type: ale } }'),
    '3.yaml': trigger('all', ''),
  }
  await using running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files })
  await running.ready()
  const post = async (...ids: string[]) => {
    for (const id of ids) {
      const headers = eventHeaders({ 'ce-id': id, 'ce-type': id.split('-')[0] ?? '' })
      expect((await send(`${running.url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    }
    await waitFor('all of them', () => ids.every((id) => subscriber.deliveriesOf(id, '/all').length === 1))
  }
  const counted = async (result: string) => {
    const { body } = await send(`${running.url}/q/metrics`, { method: 'GET' })
    return Number(
      new RegExp(`^event_trigger_events_total.*"default/drinks",result="${result}"} (\\d+)$`, 'm').exec(body)?.[1],
    )
  }
  const kube = async (method: string, body: unknown) => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const answer = await send(running.kubeUrl + TRIGGER, { method, headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
  }
  await post('ale-1', 'stout-1', 'stout-2', 'stout-3', 'ale-2')
  await kube('PATCH', { spec: { filter: { attributes: { type: 'stout' } } } })
  await waitFor('the trigger to be looked at', async () => {
    const { body } = await send(running.kubeUrl + TRIGGER, { method: 'GET' })
    return JSON.parse(body).status.observedGeneration === 2
  })
  await post('ale-3', 'stout-4', 'ale-4')
  const delivered = subscriber.deliveries.filter(({ path }) => path === '/drinks').map(({ id }) => id)
  expect(delivered).toEqual(['ale-1', 'ale-2', 'stout-4'])
  expect([await counted('filtered'), await counted('delivered')]).toEqual([5, 3])
})
