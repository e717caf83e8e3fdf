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

  it('decisions 3.21: refuses an invalid manifest naming file, field and rule, and keeps its old version in force', () => {
    apply({ 'a.yaml': trigger('one') })
    const problems = apply({ 'a.yaml': trigger('one', { type: 'new', extra: '  delivery: { retry: -1 }' }) })
    expect(problems).toEqual([
      expect.objectContaining({ file: 'a.yaml', object: 'Trigger "one"', field: 'spec.delivery.retry' }),
    ])
    expect(problems[0]?.rule).toMatch(/at least 0/)
    expect(typeOf('one')).toEqual({ attributes: { type: 'greeting' } })
  })

  it('decisions 3.21: does not create a trigger that never was valid', () => {
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

  it('decisions 1.83: refuses an object of a namespace that does not exist, and takes namespaces first', () => {
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
  ])(
    'decisions 3.21: keeps the old version of an object whose %s in force, until that is mended',
    (_case, mistyped) => {
      apply({ 'a.yaml': `${trigger('one')}---${trigger('two')}`, 'b.yaml': trigger('three') })
      expect(apply({ 'a.yaml': `${mistyped}---${trigger('two')}` })).not.toEqual([])
      expect(names()).toEqual(['one', 'two'])
      expect(apply({ 'a.yaml': trigger('two') })).toEqual([])
      expect(names()).toEqual(['two'])
    },
  )

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

  it.each([
    [
      'a name that is no text',
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: { toString: 1 } }\n',
      'metadata.name',
    ],
    [
      'a namespace that is no text',
      trigger('one').replace('name: one', 'name: one, namespace: { toString: 1 }'),
      'metadata.namespace',
    ],
    ['metadata that is none', 'apiVersion: v1\nkind: Namespace\nmetadata: [x]\n', 'metadata.name'],
    ['a document that is none', '- a\n- b\n', 'apiVersion'],
  ])('refuses %s', (_case, text, field) => {
    expect(apply({ 'a.yaml': text }).map((problem) => problem.field)).toContain(field)
  })

  it('reports what there is no room for, and keeps the rest', () => {
    for (let index = 0; index < 998; index += 1) {
      store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n${index}` } })
    }
    expect(apply({ 'a.yaml': `${trigger('one')}---${trigger('two')}` })).toEqual([
      expect.objectContaining({
        file: 'a.yaml',
        object: 'Trigger "two"',
        rule: 'exceeded quota: at most 1000 objects are kept',
      }),
    ])
    expect(names()).toEqual(['one'])
  })
})

describe('parseManifests', () => {
  const problemOf = (text: string) => parseManifests('a.yaml', text).problem
  it.each([
    [
      'an object of 6000 levels',
      `apiVersion: v1\nkind: Broker\nspec: ${'{a: '.repeat(6000)}1${'}'.repeat(6000)}\n`,
      /deeper than 100 levels/,
    ],
    ['keys in keys', '? '.repeat(3000), /deeper than 100 levels|texts for keys/],
    ['many values', `a: [${'1,'.repeat(10_000)}]`, /10000 values/],
    ['many aliases', `a: &a x\nb: [${'*a,'.repeat(101)}]`, /100 aliases/],
    ['an anchor within itself', 'a: &a [*a]', /deeper|alias|anchor/i],
    ['a key twice', 'a: 1\nb: { c: 1, "c": 2 }', /"c" is repeated/],
    ['a member __proto__', '__proto__: { a: 1 }', /__proto__/],
    ['more than a mebibyte', '#'.repeat(1_048_577), /1048576 characters/],
  ])('refuses %s, naming the rule', (_case, text, rule) => {
    expect(problemOf(text)).toMatchObject({ file: 'a.yaml', field: '(yaml)', rule: expect.stringMatching(rule) })
  })

  it('reads many documents', () => {
    expect(parseManifests('a.yaml', 'a: 1\n---\n---\nb: 2\n').documents.map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: 2 },
    ])
  })
})
