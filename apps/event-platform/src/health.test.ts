import { expect, it } from 'vitest'
import { createPlatformHealth } from './health.ts'
import type { Platform } from './platform.ts'
import { admit } from './resources/admission.ts'
import { ResourceStore } from './resources/resource-store.ts'

const trigger = (name: string) =>
  admit({
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Trigger',
    metadata: { name },
    spec: { broker: 'default', subscriber: { uri: 'http://subscriber.example' } },
  }).object
const sink = (name: string) =>
  admit({
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name },
    spec: { template: { spec: { containers: [{ image: 'aloha-sink' }] } } },
  }).object

it('has a check for each trigger and sink from when it comes until it goes', async () => {
  const store = new ResourceStore()
  store.put(trigger('early'))
  const platform = { store, serving: { state: () => undefined }, manifests: { problems: [] } } as unknown as Platform
  const outgoing = { check: { name: 'Kafka', check: () => ({ status: 'UP' }) } } as never
  const health = createPlatformHealth({ platform, outgoing, shutdown: new AbortController().signal })
  const names = async () =>
    (await health.report('well')).checks.map(({ name }) => name).filter((name) => name.includes('/'))

  expect(await names()).toEqual(['Trigger default/early'])
  store.put(sink('aloha'))
  store.put(trigger('late'))
  store.put({ ...trigger('late'), metadata: { ...trigger('late').metadata, labels: { changed: 'yes' } } })
  expect(await names()).toEqual(['Trigger default/early', 'Sink default/aloha', 'Trigger default/late'])
  store.delete({ kind: 'Trigger', namespace: 'default', name: 'early' })
  store.delete({ kind: 'Service', namespace: 'default', name: 'aloha' })
  store.put(trigger('early'))
  expect(await names()).toEqual(['Trigger default/late', 'Trigger default/early'])
})
