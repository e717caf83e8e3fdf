import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Variables } from '../app.ts'
import { defineSystem } from '../define-system.ts'
import { environmentFindings } from './environment-problems.ts'

/** An app that starts with a `PORT` of digits. */
const config = () => Promise.resolve({ readConfig })
const system = defineSystem({ name: 'shops', apps: { shop: { config } } })

function readConfig({ PORT }: Variables): object {
  if (PORT !== undefined && /^(?:\d+|given)$/.test(PORT)) return {}
  throw Object.assign(new Error('invalid'), { problems: [`PORT is ${PORT}`] })
}

async function findings(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'environments-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'deploy', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return environmentFindings(system, root)
}

describe('decisions 3.154: environmentFindings', () => {
  const overlay = (resources: string, container: string) =>
    findings({
      'kubernetes/overlays/own/kustomization.yaml': `resources: [${resources}]`,
      'kubernetes/overlays/own/shop.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec: { template: { spec: { containers: [{ name: shop, image: shop, ${container} }] } } }
`,
    })
  const PLACE = 'deploy/kubernetes/overlays/own'
  const SHOP_POD = `apiVersion: v1
kind: Pod
metadata: { name: shop }
spec: { containers: [{ image: shop }] }
`
  const REMOTE = `${PLACE}: https://example.org/x: is not on this machine`

  it('names a ConfigMap that leads nowhere, and what is missing without it', async () => {
    expect(await overlay('shop.yaml', 'envFrom: [{ configMapRef: { name: shop } }]')).toEqual({
      problems: [
        `${PLACE}: Deployment shop: ConfigMap shop of envFrom does not exist`,
        `${PLACE}: Deployment shop: PORT is undefined`,
      ],
      unread: [],
    })
  })

  it('fails for no ConfigMap that may be in a resource of another machine', async () => {
    const all = await overlay('shop.yaml, https://example.org/x', 'envFrom: [{ configMapRef: { name: shop } }]')
    const unread = [REMOTE, `${PLACE}: Deployment shop: ConfigMap shop of envFrom does not exist`]
    expect(all).toEqual({ problems: [], unread })
    const valueFrom = '{ configMapKeyRef: { name: shop, key: port } }'
    const one = await overlay('shop.yaml, https://example.org/x', `env: [{ name: PORT, valueFrom: ${valueFrom} }]`)
    const ofOne = `${PLACE}: Deployment shop: PORT comes from an unknown ConfigMap: shop/port`
    expect(one).toEqual({ problems: [], unread: [REMOTE, ofOne] })
  })

  it('judges the rest of an overlay with a resource of another machine', async () => {
    const { problems } = await overlay('shop.yaml, https://example.org/x', 'env: []')
    expect(problems).toEqual([`${PLACE}: Deployment shop: PORT is undefined`])
  })

  it.each(['env: ', 'envFrom: ', 'args: '])('reads a container with `%s` and no value', async (field) => {
    const { problems } = await overlay('shop.yaml', field)
    expect(problems).toEqual([`${PLACE}: Deployment shop: PORT is undefined`])
  })

  it.each([
    ['null', 'it has no fields'],
    ['{ image: shop, env: {} }', 'is not iterable'],
  ])('names a container that cannot be read, and judges the others: %s', async (odd, reason) => {
    const { problems } = await overlay('shop.yaml', `env: [] }, ${odd}, { name: last`)
    expect(problems).toEqual([
      `${PLACE}: Deployment shop: PORT is undefined`,
      expect.stringMatching(`^${PLACE}: Deployment shop: a container cannot be read: .*${reason}$`),
    ])
  })

  it.each(['{ kind: Deployment, apiVersion: apps/v1 }', 'text', '{ kind: List, items: [null] }'])(
    'leaves out an object without a name, and judges the others: %s',
    async (object) => {
      const { problems } = await findings({
        'kubernetes/overlays/own/kustomization.yaml': 'resources: [odd.yaml, shop.yaml]\npatches:',
        'kubernetes/overlays/own/odd.yaml': object,
        'kubernetes/overlays/own/shop.yaml': SHOP_POD,
      })
      expect(problems).toEqual([
        `${PLACE}: odd.yaml: an object has no apiVersion, kind or metadata.name`,
        `${PLACE}: Pod shop: PORT is undefined`,
      ])
    },
  )

  const SHOP = 'services: { shop: { image: shop, environment: { STOCK_URL: http://stock:8080 } } }\n'
  const COMPOSE = 'deploy/compose.yaml'

  it('names what a service of Compose misses, and hosts that are not there', async () => {
    const hosts = `${COMPOSE}: shop: STOCK_URL names stock: expected a service of this file, or a name with a dot`
    expect(await findings({ 'compose.yaml': SHOP })).toEqual({
      problems: [`${COMPOSE}: shop: PORT is undefined`, hosts],
      unread: [],
    })
  })

  it('names Compose where it is not YAML, on one line', async () => {
    const { problems } = await findings({ 'compose.yaml': 'services: {\n  shop: [' })
    expect(problems).toEqual([expect.stringMatching(/^deploy\/compose\.yaml: Flow .* line \d+, column \d+$/)])
  })

  it.each([
    ['', 'cannot be read: it has no fields'],
    ['{ environment: , env_file: , command: , links: , extra_hosts: , networks: }', 'PORT is undefined'],
  ])('judges all services where one is `%s`', async (service, problem) => {
    const text = `services:\n  shop: ${service}\n  other: { image: shop, command: shop }\n`
    const { problems } = await findings({ 'compose.yaml': text })
    expect(problems).toEqual([`${COMPOSE}: shop: ${problem}`, `${COMPOSE}: other: PORT is undefined`])
  })

  it.each([
    ['compose.override.yaml', { 'compose.yaml': SHOP, 'compose.override.yaml': '' }],
    ['compose.override.yml', { 'compose.yaml': SHOP, 'compose.override.yml': '' }],
    ['docker-compose.override.yml', { 'compose.yaml': SHOP, 'docker-compose.override.yml': '' }],
    ['include', { 'compose.yaml': `include: [stock.yaml]\n${SHOP}` }],
  ])('leaves open what %s may add to Compose', async (part, files) => {
    expect(await findings(files)).toEqual({ problems: [], unread: [`${COMPOSE}: ${part} is not read`] })
  })

  it('names a value that is wrong, whatever an override may add', async () => {
    const text = 'services: { shop: { image: shop, environment: { PORT: x } } }'
    const { problems } = await findings({ 'compose.yaml': text, 'compose.override.yaml': '' })
    expect(problems).toEqual([`${COMPOSE}: shop: PORT is x`])
  })
})
