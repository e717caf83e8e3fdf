import { beforeEach, describe, expect, it } from 'vitest'
import { ResourceStore } from '../resources/resource-store.ts'
import { ManifestSet } from './manifest-set.ts'
import { parseManifests } from './parse-manifests.ts'

const trigger = (name: string, { type = 'greeting', extra = '' } = {}) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec:
  broker: default
  filter: { attributes: { type: ${type} } }
  subscriber: { uri: http://subscriber.example }
${extra}`

describe('manifestSet', () => {
  let store: ResourceStore
  let set: ManifestSet
  const outcomeOf = (files: Record<string, string>) =>
    set.apply(Object.entries(files).map(([file, text]) => parseManifests(file, text)))
  const apply = (files: Record<string, string>) => outcomeOf(files).problems
  const typeOf = (name: string) => store.get({ kind: 'Trigger', namespace: 'default', name })?.spec?.['filter']
  const names = () => store.list('Trigger').map(({ metadata }) => metadata.name)

  beforeEach(() => {
    store = new ResourceStore()
    store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
    set = new ManifestSet(store)
  })

  it('creates, changes and deletes what the files say', () => {
    expect(apply({ 'a.yaml': `${trigger('one')}---${trigger('two')}` })).toEqual([])
    expect(names()).toEqual(['one', 'two'])
    apply({ 'a.yaml': trigger('one', { type: 'other' }) })
    expect(names()).toEqual(['one'])
    expect(typeOf('one')).toEqual({ attributes: { type: 'other' } })
  })

  it('counts what it added, changed and removed, not what was there already', () => {
    const none = { problems: [], added: 0, changed: 0, removed: 0 }
    const both = { 'a.yaml': trigger('one'), 'b.yaml': trigger('two') }
    expect(outcomeOf(both)).toEqual({ ...none, added: 2 })
    expect(outcomeOf(both)).toEqual(none)
    expect(outcomeOf({ 'a.yaml': trigger('one', { type: 'other' }) })).toEqual({ ...none, changed: 1, removed: 1 })
    store.delete({ kind: 'Trigger', namespace: 'default', name: 'one' })
    expect(outcomeOf({})).toEqual(none)
  })

  it('lead: refuses an invalid manifest naming file, field and rule, and keeps its old version in force', () => {
    apply({ 'a.yaml': trigger('one') })
    const problems = apply({ 'a.yaml': trigger('one', { type: 'new', extra: '  delivery: { retry: -1 }' }) })
    expect(problems).toEqual([
      expect.objectContaining({ file: 'a.yaml', object: 'Trigger "one"', field: 'spec.delivery.retry' }),
    ])
    expect(problems[0]?.rule).toMatch(/at least 0/)
    expect(typeOf('one')).toEqual({ attributes: { type: 'greeting' } })
  })

  it('lead: does not create a trigger that never was valid', () => {
    apply({ 'a.yaml': trigger('one', { extra: '  delivery: { backoffPolicy: never }' }) })
    expect(names()).toEqual([])
  })

  it('keeps all objects of a file that is no YAML, with the line of the error', () => {
    apply({ 'a.yaml': trigger('one'), 'b.yaml': trigger('two') })
    const problems = apply({ 'a.yaml': 'kind: Trigger\n  spec: {', 'b.yaml': trigger('two') })
    expect(problems).toEqual([expect.objectContaining({ file: 'a.yaml', field: '(yaml)', line: expect.any(Number) })])
    expect(names()).toEqual(['one', 'two'])
  })

  it('refuses a second definition of the same object', () => {
    const problems = apply({ 'a.yaml': trigger('one'), 'b.yaml': trigger('one', { type: 'other' }) })
    expect(problems).toEqual([
      expect.objectContaining({ file: 'b.yaml', field: 'metadata.name', rule: 'is already defined in a.yaml' }),
    ])
  })

  it('refuses an object of a namespace that does not exist, and takes namespaces first', () => {
    const elsewhere = trigger('one').replace('{ name: one }', '{ name: one, namespace: elsewhere }')
    expect(apply({ 'a.yaml': elsewhere })[0]).toMatchObject({ field: 'metadata.namespace' })
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: elsewhere }'
    expect(apply({ 'a.yaml': elsewhere, 'b.yaml': namespace })).toEqual([])
  })

  it('leaves what was changed through the resource API until the manifest itself changes', () => {
    apply({ 'a.yaml': trigger('one') })
    const object = store.get({ kind: 'Trigger', namespace: 'default', name: 'one' })
    if (object !== undefined) store.put({ ...object, spec: { ...object.spec, filter: {} } })
    apply({ 'a.yaml': trigger('one'), 'b.yaml': trigger('two') })
    expect(typeOf('one')).toEqual({})
    apply({ 'a.yaml': trigger('one', { type: 'other' }) })
    expect(typeOf('one')).toEqual({ attributes: { type: 'other' } })
  })

  it.each([
    ['kind is mistyped', trigger('one').replace('kind: Trigger', 'kind: Triger')],
    ['name is mistyped', trigger('One')],
    ['name is missing', trigger('one').replace('metadata: { name: one }', '')],
    ['namespace is mistyped', trigger('one').replace('{ name: one }', '{ name: one, namespace: defualt }')],
  ])('lead: keeps the old version of an object whose %s in force, until that is mended', (_case, mistyped) => {
    apply({ 'a.yaml': `${trigger('one')}---${trigger('two')}`, 'b.yaml': trigger('three') })
    expect(apply({ 'a.yaml': `${mistyped}---${trigger('two')}` })).not.toEqual([])
    expect(names()).toEqual(['one', 'two'])
    expect(apply({ 'a.yaml': trigger('two') })).toEqual([])
    expect(names()).toEqual(['two'])
  })

  it('leaves alone what moves to another file, also while that one is no YAML', () => {
    const changes: string[] = []
    apply({ 'a.yaml': `${trigger('one')}---${trigger('two')}` })
    store.subscribe(({ type }) => changes.push(type))
    expect(apply({ 'a.yaml': trigger('one'), 'b.yaml': `${trigger('two')}\n  }` })).not.toEqual([])
    expect(apply({ 'a.yaml': trigger('one'), 'b.yaml': trigger('two') })).toEqual([])
    expect(apply({ 'b.yaml': trigger('two'), 'c.yaml': trigger('one') })).toEqual([])
    expect(changes).toEqual([])
    apply({ 'c.yaml': trigger('one') })
    expect(changes).toEqual(['DELETED'])
  })

  it('keeps a namespace that left the files as long as something in them is in it', () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: elsewhere }'
    const elsewhere = trigger('one').replace('{ name: one }', '{ name: one, namespace: elsewhere }')
    const exists = () => store.get({ kind: 'Namespace', name: 'elsewhere' }) !== undefined
    apply({ 'a.yaml': namespace, 'b.yaml': elsewhere })
    apply({ 'a.yaml': namespace, 'b.yaml': elsewhere.replace('kind: Trigger', 'kind: Triger') })
    apply({ 'b.yaml': elsewhere })
    expect(exists()).toBe(true)
    apply({ 'b.yaml': elsewhere.replace('kind: Trigger', 'kind: Triger') })
    expect([exists(), names()]).toEqual([true, ['one']])
    apply({})
    expect(names()).toEqual([])
    expect(exists()).toBe(false)
  })
})
