import { describe, expect, it } from 'vitest'
import type { KubeObject } from './object.ts'
import { CapacityError, type ResourceChange, ResourceStore } from './resource-store.ts'

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

  it('reports nothing when nothing changes', () => {
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

  it('reports changes in order, each with a newer version, and repeats them from a version on', () => {
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

  it('gives an object of a file the same uid in every process, and another object another one', () => {
    const uid = (name: string) => new ResourceStore().put(makeTrigger('a', name), { isOfFile: true }).metadata.uid
    expect(uid('one')).toBe(uid('one'))
    expect(uid('one')).not.toBe(uid('two'))
    expect(uid('one')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it.each([true, false])('gives an object that is made again another uid (of a file: %s)', (isOfFile) => {
    const store = new ResourceStore()
    const uids = [1, 2, 3].map(() => {
      const { uid } = store.put(makeTrigger('a', 'one'), { isOfFile }).metadata
      store.delete({ ...KEY, name: 'one' })
      return uid
    })
    expect(new Set(uids).size).toBe(3)
  })

  it.each([true, false])(
    'gives an object that is made again after a restart another uid (of a file: %s)',
    (isOfFile) => {
      const before = new ResourceStore({ now: () => new Date(1000) })
      const { uid } = before.put(makeTrigger('a', 'one'), { isOfFile }).metadata
      before.delete({ ...KEY, name: 'one' })
      const after = new ResourceStore({ now: () => new Date(1000) })
      after.restore([], before.version)
      expect(after.put(makeTrigger('a', 'one'), { isOfFile }).metadata.uid).not.toBe(uid)
    },
  )

  it('keeps 1000 objects and 4 MiB at most, and takes what makes it smaller at any time', () => {
    const store = new ResourceStore()
    for (let index = 0; index < 1000; index += 1) store.put(makeTrigger('a', `t${index}`))
    expect(() => store.put(makeTrigger('a', 'more'))).toThrow(CapacityError)
    store.delete({ ...KEY, name: 't0' })
    store.put(makeTrigger('a', 'more'))
    expect(store.list('Trigger')).toHaveLength(1000)
    for (let index = 1; index < 17; index += 1) store.put(makeTrigger('a'.repeat(230_000), `t${index}`))
    expect(() => store.put(makeTrigger('a'.repeat(230_000), 'more'))).toThrow(/4194304 bytes/)
    store.put(makeTrigger('b', 't1'))
    store.put(makeTrigger('a'.repeat(230_000), 'more'))
    expect(store.get({ ...KEY, name: 't1' })?.spec?.['filter']).toEqual({ attributes: { type: 'b' } })
  })

  it('forgets old changes of large objects sooner', () => {
    const store = new ResourceStore()
    for (let index = 0; index < 100; index += 1) store.put(makeTrigger(`${index}${'a'.repeat(200_000)}`))
    expect(store.since(1)).toBeUndefined()
    expect(store.since(90)).toHaveLength(10)
  })

  it('lists objects in order of their names whenever one comes or goes', () => {
    const store = new ResourceStore()
    const names = () => store.list('Trigger').map(({ metadata }) => metadata.name)
    for (const name of ['b', 'c', 'a']) store.put(makeTrigger('x', name))
    expect(names()).toEqual(['a', 'b', 'c'])
    store.delete({ ...KEY, name: 'b' })
    store.put(makeTrigger('x', 'ab'))
    expect(names()).toEqual(['a', 'ab', 'c'])
  })

  it('goes on when a listener fails, and says so', () => {
    const errors: object[] = []
    const store = new ResourceStore({ log: { error: (fields) => void errors.push(fields) } })
    const heard: string[] = []
    store.subscribe(() => {
      throw new Error('a defect')
    })
    store.subscribe(({ object }) => void heard.push(object.metadata.name))
    store.put(makeTrigger('a'))
    expect(heard).toEqual(['one'])
    expect(errors).toEqual([{ err: expect.any(Error), object: 'Trigger/default/one' }])
  })
})
