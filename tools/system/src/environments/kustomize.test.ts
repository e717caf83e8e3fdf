import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderEnvironments } from './kustomize.ts'

async function rendered(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'kustomize-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return renderEnvironments(root, 'over')
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, labels: { tier: front } }
spec: { template: { spec: { containers: [{ name: shop, env: [{ name: A, value: "1" }, { name: B, value: "2" }] }] } } }
`
const WIDGET = `apiVersion: example.org/v1
kind: Widget
metadata: { name: shop }
spec: { containers: [{ name: one }, { name: two }] }
`
const withPatch = (patch: string) =>
  rendered({
    'base/kustomization.yml': 'resources: [shop.yaml]',
    'base/shop.yaml': `${DEPLOYMENT}---\n${WIDGET}`,
    'over/kustomization.yaml': `resources: [../base]\npatches:\n${patch}`,
  })
/** `A=1 B=2` of the Deployment. */
const environment = async (patch: string) => {
  const { objects, problems } = await withPatch(patch)
  expect(problems).toEqual([])
  const { containers } = (objects[0] as unknown as typeof EXAMPLE).spec.template.spec
  return containers.flatMap(({ env }) => env.map(({ name, value }) => `${name}=${value}`)).join(' ')
}
const EXAMPLE = { spec: { template: { spec: { containers: [{ env: [{ name: '', value: '' }] }] } } } }
const strategic = (env: string) =>
  `  - patch: '{ kind: Deployment, metadata: { name: shop }, spec: { template: { spec: { containers: [{ name: shop, env: [${env}] }] } } } }'`

describe('renderEnvironments', () => {
  it.each([
    [
      'a strategic merge patch, which merges by name',
      strategic('{ name: B, value: b }, { name: C, value: c }'),
      'A=1 B=b C=c',
    ],
    ['one that deletes an entry', strategic('{ name: A, $patch: delete }'), 'B=2'],
    ['one that replaces the list', strategic('{ $patch: replace }, { name: C, value: c }'), 'C=c'],
    [
      'a JSON patch with a target by expressions and labels',
      `  - target: { kind: Dep.*, name: shop|other, labelSelector: tier=front }
    patch: |-
      - { op: add, path: /spec/template/spec/containers/0/env/-, value: { name: C, value: c } }
      - { op: replace, path: /spec/template/spec/containers/0/env/0/value, value: a }
      - { op: remove, path: /spec/template/spec/containers/0/env/1 }`,
      'A=a C=c',
    ],
    [
      'a patch whose target fits nothing',
      "  - { target: { kind: Deployment, labelSelector: tier!=front }, patch: '[{ op: remove, path: /spec }]' }",
      'A=1 B=2',
    ],
  ])('applies %s', async (_what, patch, expected) => {
    expect(await environment(patch)).toBe(expected)
  })

  it('replaces lists of custom resources, and removes what a patch deletes', async () => {
    const { objects } =
      await withPatch(`  - patch: '{ kind: Widget, metadata: { name: shop }, spec: { containers: [{ name: two }] } }'
  - { target: { kind: Deployment }, patch: '{ kind: any, metadata: { name: any }, $patch: delete }' }`)
    expect(objects).toEqual([expect.objectContaining({ kind: 'Widget', spec: { containers: [{ name: 'two' }] } })])
  })

  it.each([
    [
      "  - patch: '{ kind: Deployment, metadata: { name: gone } }'",
      'over: a patch is for Deployment gone, which is not there',
    ],
    ['  - path: gone.yaml', 'over: gone.yaml: is not there'],
    [
      "  - { target: { kind: Widget }, patch: '[{ op: replace, path: /spec/size, value: 1 }]' }",
      'over: there is no /spec/size',
    ],
    ["  - { target: { kind: Widget }, patch: '[{ op: remove, path: /spec/a/b }]' }", 'over: there is no /spec/a/b'],
    ["  - { target: { kind: Widget }, patch: '[{ op: rename, path: /spec }]' }", 'over: there is no operation rename'],
    [
      "  - { target: { kind: Widget }, patch: '[{ op: remove, path: /spec }' }",
      expect.stringMatching(/^over: Flow sequence .* line 1, column \d+$/),
    ],
  ])('names a patch that does not fit, and goes on: %s', async (patch, problem) => {
    const { objects, problems } = await withPatch(patch)
    expect({ count: objects.length, problems }).toEqual({ count: 2, problems: [problem] })
  })

  it('generates ConfigMaps and Secrets, which overlays and components merge and replace', async () => {
    const { objects, problems } = await rendered({
      'base/kustomization.yaml': `configMapGenerator:
  - { name: shop, literals: ['A=1', 'B="two words"'], files: [c.txt, d=c.txt], envs: [e.env] }
secretGenerator: [{ name: key, literals: [url=x] }, { name: gone, literals: [url=x] }]`,
      'base/c.txt': 'text',
      'base/e.env': '# a comment\nE=5\n',
      'part/kustomization.yaml': `kind: Component
configMapGenerator: [{ name: shop, behavior: merge, literals: [A=3, F=] }]`,
      'over/Kustomization': `resources: [../base]
components: [../part]
secretGenerator: [{ name: key, behavior: replace, literals: [other=y] }, { name: no, behavior: merge }]`,
    })
    expect(problems).toEqual(['over: Secret no is to be merged, and is not there'])
    expect(objects.map(({ data, stringData }) => data ?? stringData)).toEqual([
      { A: '3', B: 'two words', 'c.txt': 'text', d: 'text', E: '5', F: '' },
      { other: 'y' },
      { url: 'x' },
    ])
  })

  it('reads fields without a value as empty', async () => {
    const { objects, problems } = await rendered({
      'over/kustomization.yaml': `resources:
configMapGenerator: [{ name: shop, literals: , files: , envs: , env: }]
patches:
patchesJson6902:
patchesStrategicMerge:`,
    })
    expect({ count: objects.length, problems }).toEqual({ count: 1, problems: [] })
  })

  it('reads components after the generators of a folder, whose ConfigMaps they merge, and before its patches', async () => {
    const { objects, problems } = await rendered({
      'part/kustomization.yaml': `kind: Component
configMapGenerator: [{ name: shop, behavior: merge, literals: [B=2, C=2] }]`,
      'over/kustomization.yaml': `components: [../part]
configMapGenerator: [{ name: shop, literals: [A=1, B=1] }]
patches: [{ patch: '{ kind: ConfigMap, metadata: { name: shop }, data: { C: "3" } }' }]`,
    })
    expect(problems).toEqual([])
    expect(objects.map(({ data }) => data)).toEqual([{ A: '1', B: '2', C: '3' }])
  })

  it('reads files of variables by line, with quotes, and leaves values of the caller open', async () => {
    const { objects } = await rendered({
      'over/kustomization.yaml': 'configMapGenerator: [{ name: shop, envs: [e.env] }]',
      'over/e.env': `A="x"\r\n\n  # a comment\n  B='1' # and = more \nC=\nHOME\n`,
    })
    expect(objects.map(({ data }) => data)).toStrictEqual([
      { A: '"x"', B: "'1' # and = more ", C: '', HOME: undefined },
    ])
  })

  it('says which parts are read by kustomize alone', async () => {
    const { unread } = await rendered({ 'over/kustomization.yaml': 'replacements: []' })
    expect(unread).toEqual(['over: replacements are not read'])
  })

  it.each([
    'https://example.org/x',
    'git@example.org:shop/deploy',
    'github.com/shop/deploy/base',
    'gitlab.com/shop/deploy//base',
    'git.example.org:8443/shop/deploy//base',
    'deploy?ref=v1',
  ])('names a resource and a component of another machine as unread: %s', async (name) => {
    const unread = [`over: ${name}: is not on this machine`]
    for (const field of ['resources', 'components']) {
      const found = await rendered({ 'over/kustomization.yaml': `${field}: ['${name}']` })
      expect(found).toEqual({ objects: [], problems: [], unread })
    }
  })

  it('reads a folder here whose name is like that of a host', async () => {
    const { objects, unread } = await rendered({
      'over/kustomization.yaml': 'resources: [shop.old/shop.yaml]',
      'over/shop.old/shop.yaml': DEPLOYMENT,
    })
    expect({ count: objects.length, unread }).toEqual({ count: 1, unread: [] })
  })

  it.each(['copy', 'move'])('names a patch with %s as unread, and goes on', async (op) => {
    const operation = `{ op: ${op}, from: /metadata/name, path: /metadata/namespace }`
    const { objects, problems, unread } = await withPatch(`  - { target: { kind: Widget }, patch: '[${operation}]' }`)
    expect({ count: objects.length, problems, unread }).toEqual({
      count: 2,
      problems: [],
      unread: [`over: the operation ${op} is not read`],
    })
  })

  it('names as unread what is for an object that may be in a part that only kustomize reads', async () => {
    const parts = `configMapGenerator: [{ name: gone, behavior: merge, literals: [A=1] }]
patches: [{ patch: '{ kind: Deployment, metadata: { name: gone } }' }, { path: gone.yaml }]`
    const { problems, unread } = await rendered({ 'over/kustomization.yaml': `helmCharts: []\n${parts}` })
    expect(problems).toEqual(['over: gone.yaml: is not there'])
    expect(unread).toEqual([
      'over: helmCharts are not read',
      'over: ConfigMap gone is to be merged, and is not there',
      'over: a patch is for Deployment gone, which is not there',
    ])
  })

  it.each([
    ['resources: [../over]', 'over: ../over: leads back to itself'],
    ['components: [../over/]', 'over: ../over/: leads back to itself'],
    ['resources: [../base]', 'base: ../over: leads back to itself'],
  ])('ends at a folder that leads to itself, and names it: %s', async (text, problem) => {
    const { objects, problems } = await rendered({
      'over/kustomization.yaml': `${text}\nconfigMapGenerator: [{ name: shop }]`,
      'base/kustomization.yaml': 'resources: [../over]',
    })
    expect({ count: objects.length, problems }).toEqual({ count: 1, problems: [problem] })
  })

  it.each([
    ['kind: [', 'over: Flow sequence'],
    ['resources: [broken.yaml]', 'over: broken.yaml: Flow sequence'],
  ])('names a file that is not YAML: %s', async (text, problem) => {
    const { problems } = await rendered({ 'over/kustomization.yaml': text, 'over/broken.yaml': 'a: [' })
    expect(problems).toEqual([expect.stringContaining(problem)])
  })
})
