import { describe, expect, it } from 'vitest'
import type { KubeObject } from './object.ts'
import { type ResourceChange, ResourceStore } from './resource-store.ts'

const KEY = { kind: 'Trigger', namespace: 'default', name: 'one' } as const

const makeTrigger = (type: string, name = 'one'): KubeObject => ({
  apiVersion: 'eventing.knative.dev/v1',
  kind: 'Trigger',
  metadata: { name, namespace: 'default' },
  spec: { broker: 'default', filter: { attributes: { type } }, subscriber: { uri: 'http://s.example' } },
})

describe('resourceStore', () => {
  it('counts generations by changes of the specification only', () => {
    const store = new ResourceStore()
    store.put(makeTrigger('a'))
    store.setStatus(KEY, { conditions: [] })
    store.put({ ...makeTrigger('a'), metadata: { ...makeTrigger('a').metadata, labels: { team: 'x' } } })
    expect(store.get(KEY)?.metadata.generation).toBe(1)
    store.put(makeTrigger('b'))
    expect(store.get(KEY)?.metadata.generation).toBe(2)
    expect(store.get(KEY)?.status).toEqual({ conditions: [] })
  })

  it('tells nothing when nothing changes', () => {
    const store = new ResourceStore()
    store.put(makeTrigger('a'))
    store.setStatus(KEY, { subscriberUri: 'x' })
    const changes: ResourceChange[] = []
    store.subscribe((change) => changes.push(change))
    store.put(makeTrigger('a'))
    store.setStatus(KEY, { subscriberUri: 'x' })
    store.delete({ ...KEY, name: 'other' })
    expect(changes).toEqual([])
  })

  it('tells changes in order, each with a newer version, and repeats them from a version on', () => {
    const store = new ResourceStore()
    const changes: ResourceChange[] = []
    store.subscribe((change) => changes.push(change))
    store.put(makeTrigger('a'))
    store.put(makeTrigger('b'))
    store.delete(KEY)
    expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    expect(changes.map(({ version }) => version)).toEqual([1, 2, 3])
    expect(changes.map(({ object }) => object.metadata.resourceVersion)).toEqual(['1', '2', '3'])
    expect(store.since(1)).toEqual(changes.slice(1))
    expect(store.since(3)).toEqual([])
  })

  it('does not know versions that are too old or have not been', () => {
    const store = new ResourceStore()
    for (let index = 0; index < 1100; index += 1) store.put(makeTrigger(`type${index}`))
    expect(store.since(1)).toBeUndefined()
    expect(store.since(1099)).toHaveLength(1)
    expect(store.since(1101)).toBeUndefined()
  })

  it('gives the same object the same uid in every life, and another object another one', () => {
    const uid = (name: string) => new ResourceStore().put(makeTrigger('a', name)).metadata.uid
    expect(uid('one')).toBe(uid('one'))
    expect(uid('one')).not.toBe(uid('two'))
    expect(uid('one')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
