import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  /** One life of the platform: the file is read, the manifests are applied, something is done. */
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

  it('keeps the names of groups, writes them when they change, and tells what is not valid any more', async () => {
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
})
