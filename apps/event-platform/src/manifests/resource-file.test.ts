import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admit } from '../resources/admission.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import { ManifestSet } from './manifest-set.ts'
import { parseManifests } from './parse-manifests.ts'
import { openResourceFile, ResourceFileError } from './resource-file.ts'

const manifest = (name: string, type = 'greeting') => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: ${name} }
spec: { broker: default, filter: { attributes: { type: ${type} } }, subscriber: { uri: http://s.example } }
`
const makeObject = (name: string, type: string) =>
  admit(parseManifests('', manifest(name, type)).documents[0]?.value).object

describe('resourceFile', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'resources-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** One run of the platform: reads the file, applies the manifests, calls `act`. */
  async function live(manifests: string, act: (store: ResourceStore) => void = () => {}) {
    const store = new ResourceStore()
    store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
    let set = new ManifestSet(store)
    const log = { warn: () => {} }
    const path = join(folder, 'r.json')
    await using file = await openResourceFile({ path, store, applied: () => set.applied, groups: () => [], log })
    set = new ManifestSet(store, file.applied)
    expect(set.apply([parseManifests('a.yaml', manifests)]).problems).toEqual([])
    act(store)
    return store
  }
  const filterOf = (store: ResourceStore, name: string) =>
    store.get({ kind: 'Trigger', namespace: 'default', name })?.spec?.['filter']

  it('brings back what was made through the resource API, with its uid and generation', async () => {
    const before = await live(manifest('one'), (store) => {
      store.put(makeObject('made', 'a'))
      store.put(makeObject('made', 'b'))
    })
    const after = await live(manifest('one'))
    const key = { kind: 'Trigger', namespace: 'default', name: 'made' } as const
    expect(after.get(key)).toEqual(before.get(key))
    expect(after.get(key)?.metadata.generation).toBe(2)
    expect(after.version).toBeGreaterThanOrEqual(before.version)
  })

  it('leaves what was changed through the API changed, until its manifest changes', async () => {
    await live(manifest('one'), (store) => store.put(makeObject('one', 'changed')))
    expect(filterOf(await live(manifest('one')), 'one')).toEqual({ attributes: { type: 'changed' } })
    expect(filterOf(await live(manifest('one', 'newer')), 'one')).toEqual({ attributes: { type: 'newer' } })
  })

  it('deletes what left the manifests while the platform was away', async () => {
    await live(`${manifest('one')}---${manifest('two')}`)
    expect((await live(manifest('one'))).list('Trigger').map(({ metadata }) => metadata.name)).toEqual(['one'])
  })

  it('does not bring back what was deleted through the API', async () => {
    await live(manifest('one'), (store) => store.put(makeObject('made', 'a')))
    await live(manifest('one'), (store) => store.delete({ kind: 'Trigger', namespace: 'default', name: 'made' }))
    expect((await live(manifest('one'))).list('Trigger')).toHaveLength(1)
  })

  it('takes the manifest of an object whose changed version is refused by stricter rules', async () => {
    await live(manifest('one'), (store) => store.put(makeObject('one', 'changed')))
    const path = join(folder, 'r.json')
    const state = JSON.parse(readFileSync(path, 'utf8'))
    state.objects.find(({ kind }: { kind: string }) => kind === 'Trigger').spec.formerlyAllowed = true
    writeFileSync(path, JSON.stringify(state))
    expect(filterOf(await live(manifest('one')), 'one')).toEqual({ attributes: { type: 'greeting' } })
  })

  it('keeps the names of groups, writes them when they change, and reports what is no longer valid', async () => {
    const path = join(folder, 'r.json')
    const invalid = { ...makeObject('old', 'a'), spec: {} }
    writeFileSync(path, JSON.stringify({ version: 1, objects: [makeObject('one', 'a'), invalid], applied: [] }))
    const open = (groups: readonly string[]) =>
      openResourceFile({
        path,
        store: new ResourceStore(),
        applied: () => [],
        groups: () => groups,
        log: { warn() {} },
      })
    {
      await using file = await open(['a', 'b'])
      expect(file.groups).toBeUndefined()
      expect(file.refused).toEqual([invalid])
      file.save()
    }
    await using file = await open([])
    expect(file.groups).toEqual(['a', 'b'])
  })

  it('refuses to start from a damaged file', async () => {
    writeFileSync(join(folder, 'r.json'), '{"objects":')
    await expect(live(manifest('one'))).rejects.toBeInstanceOf(ResourceFileError)
  })

  /** Writes the file as an older version may have, with these objects. */
  const leave = (objects: string, rest = '"applied":[]') =>
    writeFileSync(path(), `{"version":7,"objects":[${objects}],${rest}}`)
  const path = () => join(folder, 'r.json')
  async function open(store: ResourceStore) {
    const warnings: Record<string, unknown>[] = []
    const log = { warn: (fields: object, message: string) => void warnings.push({ ...fields, message }) }
    const file = await openResourceFile({ path: path(), store, applied: () => [], groups: () => [], log })
    return { warnings, file, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() }
  }
  const broker = (name: string, config: string) =>
    `{"apiVersion":"eventing.knative.dev/v1","kind":"Broker","metadata":{"name":"${name}","namespace":"default"},"spec":{"config":${config}}}`
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  it('sets aside an object that breaks a limit, logs it, keeps it, and goes on with the others', async () => {
    leave([broker('deep', nested(6000)), broker('good', '{}')].join())
    const before = readFileSync(path(), 'utf8')
    const store = new ResourceStore()
    {
      await using opened = await open(store)
      expect(store.list('Broker').map(({ metadata }) => metadata.name)).toEqual(['good'])
      expect(opened.warnings).toEqual([
        expect.objectContaining({ object: 'Broker/default/deep', reason: expect.stringContaining('100 levels') }),
      ])
      store.put(makeObject('one', 'a'))
    }
    expect(readFileSync(`${path()}.refused-7`, 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(path(), 'utf8')).objects).toHaveLength(2)
  })

  it.each([
    ['nothing that is an object', 'null,1,"x",[],{}'],
    ['an object without metadata', '{"apiVersion":"v1","kind":"Namespace"}'],
    ['a name that is none', '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":{"toString":1}}}'],
    ['a prototype', '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"},"__proto__":{"a":1}}'],
    [
      'a trigger that leads nowhere',
      JSON.stringify({ ...makeObject('bad', 'a'), spec: { broker: 'default', subscriber: { uri: '//' } } }),
    ],
    [
      'a variable that loads code',
      `{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":"x","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"image":"a","env":[{"name":"NODE_OPTIONS","value":"x"}]}]}}}}`,
    ],
  ])('goes on without %s', async (_case, objects) => {
    leave(
      `${objects},${broker('good', '{}')}`,
      `"applied":[null,{"object":{},"file":1},{"object":{"kind":"Broker"},"file":"a"}],"groups":[1,"g"]`,
    )
    const store = new ResourceStore()
    await using opened = await open(store)
    expect(store.all().map(({ metadata }) => metadata.name)).toEqual(['good'])
    expect(opened.file).toMatchObject({ applied: [], groups: ['g'] })
    expect(opened.warnings.length).toBeGreaterThan(0)
  })

  it.each(['', '{', 'null', '[]', '{"version":1}', '{"objects":{},"applied":[]}'])(
    'refuses to start from %j',
    async (text) => {
      writeFileSync(path(), text)
      await expect(open(new ResourceStore())).rejects.toThrow(/are damaged: put back a copy/)
    },
  )

  it('is for its owner alone, also when it was for others before', async () => {
    leave('')
    chmodSync(path(), 0o644)
    writeFileSync(`${path()}.new`, 'left by a process that was killed', { mode: 0o644 })
    {
      await using _opened = await open(new ResourceStore())
    }
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(existsSync(`${path()}.new`)).toBe(false)
  })

  it('is written once it can be, logged once, when it could not', async () => {
    mkdirSync(`${path()}.new/in-the-way`, { recursive: true })
    const store = new ResourceStore()
    {
      await using opened = await open(store)
      store.put(makeObject('one', 'a'))
      await eventually(() => expect(opened.warnings).toHaveLength(1))
      store.put(makeObject('two', 'a'))
      await new Promise(setImmediate)
      rmSync(`${path()}.new`, { recursive: true })
      expect(opened.warnings).toEqual([expect.objectContaining({ message: 'resources cannot be saved, trying again' })])
    }
    expect(JSON.parse(readFileSync(path(), 'utf8')).objects).toHaveLength(2)
  })
})
