import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { ManifestSet } from '../src/manifests/manifest-set.ts'
import { parseManifests } from '../src/manifests/parse-manifests.ts'
import { ResourceStore } from '../src/resources/resource-store.ts'
import { KUBECTL } from './kubectl.ts'
import { FOLDERS } from './running-platform.ts'

function makeSet() {
  const store = new ResourceStore()
  store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
  return { store, set: new ManifestSet(store) }
}

describe('deploy/knative', () => {
  it('names all its files in kustomization.yaml, in the order in which they are applied', async () => {
    const files = (await readdir(FOLDERS.manifests)).filter((name) => /^\d{3}-.+\.yaml$/.test(name)).sort()
    const text = await readFile(join(FOLDERS.manifests, 'kustomization.yaml'), 'utf8')
    expect(parseDocument(text).toJS()).toMatchObject({ resources: files })
  })

  it('contract 2.8 to 2.10: holds the namespace, broker, triggers and sinks of the contract', async () => {
    const { store, set } = makeSet()
    const files = (await readdir(FOLDERS.manifests)).filter((name) => /^\d{3}-/.test(name))
    const texts = await Promise.all(files.map((name) => readFile(join(FOLDERS.manifests, name), 'utf8')))
    expect(set.apply(files.map((name, index) => parseManifests(name, texts[index] ?? ''))).problems).toEqual([])
    expect(store.list('Namespace')[0]?.metadata).toMatchObject({
      name: 'default',
      labels: { 'eventing.knative.dev/injection': 'enabled' },
    })
    expect(store.list('Broker').map(({ metadata }) => metadata.name)).toEqual(['default'])
    const triggers = Object.fromEntries(store.list('Trigger').map(({ metadata, spec }) => [metadata.name, spec]))
    const filter = { attributes: { type: 'greeting' } }
    expect(triggers).toMatchObject({ aloha: { filter }, bonjour: { filter } })
    const services = store.resources('Service').map(({ object, spec }) => ({ name: object.metadata.name, ...spec }))
    for (const name of ['aloha', 'bonjour']) {
      expect(services.find((service) => service.name === `eventing${name}`)).toMatchObject({
        revisionName: `eventing${name}-v1`,
        image: 'event-sinks',
        args: [`${name}-sink`],
        scaling: { target: 1 },
      })
    }
  })

  it('decisions 1.67: its overlay gives the same with v1beta1 triggers and brokers', { tags: 'kubectl' }, async () => {
    const { stdout } = await run(KUBECTL, ['kustomize', join(FOLDERS.manifests, '../knative-v1beta1')])
    expect(new Set(stdout.match(/apiVersion: eventing\.knative\.dev\/\w+/g))).toEqual(
      new Set(['apiVersion: eventing.knative.dev/v1beta1']),
    )
    const { store, set } = makeSet()
    expect(set.apply([parseManifests('overlay.yaml', stdout)]).problems).toEqual([])
    const names = store.list('Trigger').map(({ metadata }) => metadata.name)
    expect(names).toEqual(expect.arrayContaining(['aloha', 'bonjour']))
  })
})
