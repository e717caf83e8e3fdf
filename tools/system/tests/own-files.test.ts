import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import {
  type App,
  broker,
  database,
  defineSystem,
  eventPlatform,
  generate,
  kafka,
  type Sink,
  writeManifests,
} from '../src/index.ts'

const cluster = { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' } as const
const hello: App = { serves: ['/hello'], cluster }
const orders: App = { serves: ['/orders'], needs: [kafka, database], cluster }

const PRODUCTION = 'deploy/kubernetes/overlays/production/kustomization.yaml'
const BASE = 'deploy/kubernetes/base'

describe('decisions 3.108: what people wrote in deploy/', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'own-files-'))
    await generated({ hello })
  })
  afterEach(() => rm(root, { recursive: true }))

  const generated = (apps: Readonly<Record<string, App>>, name = 'shop') =>
    generate(defineSystem({ name, apps }), root, [], () => {})
  const read = (path: string) => readFile(join(root, path), 'utf8')
  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const change = async (path: string, from: string | RegExp, to: string) =>
    write(path, (await read(path)).replace(from, to))

  it('stays: where images are and of which version, which an app that is new has, too', async () => {
    await change(PRODUCTION, /newName: .*\n( *)newTag: .*/, 'newName: ghcr.io/us/hi\n$1newTag: 1.2.3')
    await change(PRODUCTION, 'value: shop.example.com', 'value: shop.test')
    await generated({ hello, orders })
    const { images, patches } = parse(await read(PRODUCTION))
    expect(images).toEqual([
      { name: 'hello', newName: 'ghcr.io/us/hi', newTag: '1.2.3' },
      { name: 'orders', newName: 'ghcr.io/us/orders', newTag: '1.2.3' },
    ])
    expect(patches[0].patch).toContain('shop.test')
    await generated({ orders })
    expect(parse(await read(PRODUCTION)).images).toEqual([
      { name: 'orders', newName: 'ghcr.io/us/orders', newTag: '1.2.3' },
    ])
  })

  it('is compared and not written with --check, which ends with 1 and the names of files that differ', async () => {
    onTestFinished(() => {
      vi.restoreAllMocks()
      process.exitCode = undefined
    })
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const checked = async (apps: Readonly<Record<string, App>>) => {
      process.exitCode = undefined
      said.mockClear()
      await generate(defineSystem({ name: 'shop', apps }), root, ['--check'])
      return { code: process.exitCode, said: said.mock.calls.flat().join('') }
    }
    expect(await checked({ hello })).toEqual({ code: undefined, said: '' })
    const production = await read(PRODUCTION)
    const { code, said: names } = await checked({ orders })
    expect(code).toBe(1)
    for (const path of [PRODUCTION, `${BASE}/apps/orders.yaml`, `${BASE}/apps/hello.yaml`])
      expect(names).toContain(`differs  ${path}\n`)
    // Problems that generate would solve are not named.
    expect(names).toMatch(/^(?:differs {2}\S+\n)+Run pnpm generate, [^\n]+\n$/)
    expect(await read(PRODUCTION)).toBe(production)
    await expect(read(`${BASE}/apps/orders.yaml`)).rejects.toThrow('ENOENT')
    expect(await read(`${BASE}/apps/hello.yaml`)).toContain('hello')
  })

  it('stays: a file without the first line that says it was written', async () => {
    const path = `${BASE}/220-gateway.yaml`
    await change(path, /^# Written .*\n/, '')
    await change(path, 'envoy-gateway-system', 'nginx-gateway')
    const own = await read(path)
    await generated({ hello, orders })
    expect(await read(path)).toBe(own)
    expect(
      parse(await read(`${BASE}/kustomization.yaml`)).resources.filter((name: string) => path.endsWith(name)),
    ).toEqual(['220-gateway.yaml'])
  })

  it('stays: a file that has none of the written parts, and is refused when it lacks one of them', async () => {
    await write('deploy/compose.yaml', 'services:\n  mine:\n    image: mine\n')
    await change(PRODUCTION, '# generated: images', '# images')
    await expect(generated({ hello, orders })).rejects.toThrow('there is no region "generated: images" with an end')
    await write(PRODUCTION, 'kind: Kustomization\n')
    await generated({ hello, orders })
    expect(await read('deploy/compose.yaml')).toBe('services:\n  mine:\n    image: mine\n')
    expect(await read(PRODUCTION)).toBe('kind: Kustomization\n')
  })

  it('is part of the base: a file with a number', async () => {
    await write(`${BASE}/300-quota.yaml`, 'kind: ResourceQuota\n')
    await write(`${BASE}/notes.yaml`, 'by: hand\n')
    await generated({ hello })
    const { resources } = parse(await read(`${BASE}/kustomization.yaml`))
    expect(resources).toEqual([
      '100-namespace.yaml',
      '110-gateway.yaml',
      '200-network-policies.yaml',
      '220-gateway.yaml',
      '300-quota.yaml',
      'apps/hello.yaml',
    ])
  })

  it('stands for what is generated: a service of compose.yaml', async () => {
    await change('deploy/compose.yaml', /^services:$/m, 'services:\n  kafka:\n    image: redpanda\n')
    await generated({ orders })
    const { services } = parse(await read('deploy/compose.yaml'), { merge: true })
    expect(Object.keys(services).toSorted()).toEqual(['databases', 'gateway', 'kafka', 'orders', 'postgres'])
    expect(services.kafka).toEqual({ image: 'redpanda' })
  })

  it('is all that is left when no app runs on a cluster, and nothing names an app that is gone', async () => {
    await generated({ hello, orders })
    expect(parse(await read(PRODUCTION)).components).toContain('../../components/kafka-outside')
    await generated({ hello })
    for (const path of [PRODUCTION, `${BASE}/kustomization.yaml`, 'deploy/compose.yaml', 'deploy/gateway.conf']) {
      expect(await read(path), path).toContain('hello')
      expect(await read(path), path).not.toMatch(/orders|components\/kafka/)
    }
    await expect(read(`${BASE}/apps/orders.yaml`)).rejects.toThrow('ENOENT')
    await generated({ hello: { serves: ['/hello'] } })
    await expect(read(`${BASE}/kustomization.yaml`)).rejects.toThrow('ENOENT')
    expect(await read(PRODUCTION)).toContain('value: shop.example.com')
  })

  it('decisions 3.107: may be of a system of any name', async () => {
    await generated({ hello }, 'health-app')
    expect(parse(await read(`${BASE}/100-namespace.yaml`)).metadata.name).toBe('health-app')
  })

  it('decisions 3.113: lets an app that sends events out to the brokers of a cluster, and wait for event-platform in Compose', async () => {
    const sender: App = { serves: ['/sender'], needs: [broker], cluster }
    await generated({ hello, sender, 'event-platform': eventPlatform(kafka) })
    const { spec } = parse(await read(`${BASE}/215-broker.yaml`))
    expect(await read(`${BASE}/apps/sender.yaml`)).toContain(Object.keys(spec.podSelector.matchLabels)[0])
    expect(parse(await read(`${BASE}/kustomization.yaml`)).resources).toContain('215-broker.yaml')
    const { services } = parse(await read('deploy/compose.yaml'), { merge: true })
    expect(services.sender.environment).toHaveProperty('BROKER_URL')
    expect(services.sender.depends_on).toEqual({ 'event-platform': { condition: 'service_healthy' } })
    await generated({ hello, 'event-platform': eventPlatform(kafka) })
    await expect(read(`${BASE}/215-broker.yaml`)).rejects.toThrow('ENOENT')
  })
})

describe('writeManifests', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'manifests-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  const KNATIVE = 'deploy/knative'
  const apps = { 'event-platform': eventPlatform(kafka) }
  const hi = (type: string): Sink => ({ app: 'hi-sink', triggers: { hi: { filter: { type } } } })
  const described = (sinks: Readonly<Record<string, Sink>>) =>
    writeManifests(defineSystem({ name: 'shop', apps, sinks }), root)
  const read = (file: string) => readFile(join(root, KNATIVE, file), 'utf8')
  const own = async (file: string, text: string) => writeFile(join(root, KNATIVE, file), text)

  it('decisions 3.107: writes what generate writes there, and nothing that is so already', async () => {
    const changed = await described({ hi: hi('greeting') })
    expect(changed).toContain(`${KNATIVE}/400-trigger-hi.yaml`)
    await generate(defineSystem({ name: 'shop', apps, sinks: { hi: hi('greeting') } }), root, [], () => {})
    expect((await readdir(join(root, KNATIVE))).map((file) => `${KNATIVE}/${file}`).toSorted()).toEqual(
      changed.toSorted(),
    )
    expect(await described({ hi: hi('greeting') })).toEqual([])
  })

  it('decisions 3.153: writes all of each trigger, and the brokers that they name', async () => {
    const filters = [{ cesql: "type = 'fire'" }, { not: { exact: { source: 'drill' } } }]
    const tower = { broker: 'tower', filters, delivery: { retry: 3, timeout: 'PT5S' }, deadLetterSink: 'hi' }
    const elsewhere = { deadLetterSink: 'https://letters.example/dead' }
    const kept = { deadLetterSink: { broker: 'dead-letters' } }
    await described({ hi: { app: 'hi-sink', triggers: { tower, elsewhere, kept } } })
    const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'hi' }
    expect(parse(await read('400-trigger-tower.yaml')).spec).toEqual({
      ...{ broker: 'tower', filters, subscriber: { ref } },
      delivery: { retry: 3, timeout: 'PT5S', deadLetterSink: { ref } },
    })
    expect(parse(await read('400-trigger-elsewhere.yaml')).spec).toEqual({
      ...{ broker: 'default', subscriber: { ref } },
      delivery: { deadLetterSink: { uri: 'https://letters.example/dead' } },
    })
    const letters = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'dead-letters' }
    expect(parse(await read('400-trigger-kept.yaml')).spec.delivery).toEqual({ deadLetterSink: { ref: letters } })
    const keeping = await read('210-broker-dead-letters.yaml')
    expect(keeping).toContain('# A trigger has this broker as its dead letter sink.')
    expect(parse(keeping)).toMatchObject({
      ...{ kind: 'Broker', metadata: { annotations: { 'eventing.knative.dev/broker.class': 'Kafka' } } },
      spec: { config: { name: 'kafka-broker-config', namespace: 'knative-eventing' } },
    })
    expect(parse(await read('210-broker-tower.yaml')).metadata).toEqual({ name: 'tower', namespace: 'default' })
    expect(parse(await read('kustomization.yaml')).resources).toContain('210-broker-tower.yaml')
  })

  it('decisions 3.107: replaces stale files and removes those of sinks that are gone', async () => {
    await described({ hi: hi('greeting') })
    expect(await described({ hi: hi('farewell') })).toEqual([`${KNATIVE}/400-trigger-hi.yaml`])
    expect(parse(await read('400-trigger-hi.yaml')).spec.filter.attributes).toEqual({ type: 'farewell' })
    expect(await described({})).toEqual(expect.arrayContaining([`${KNATIVE}/300-hi.yaml`]))
    await expect(read('400-trigger-hi.yaml')).rejects.toThrow('ENOENT')
  })

  it('decisions 3.108: leaves files that people made their own', async () => {
    await described({ hi: hi('greeting') })
    await own('400-trigger-hi.yaml', 'mine: true\n')
    await own('500-mine.yaml', 'mine: true\n')
    expect(await described({ hi: hi('farewell') })).toEqual([])
    await described({})
    expect([await read('400-trigger-hi.yaml'), await read('500-mine.yaml')]).toEqual(['mine: true\n', 'mine: true\n'])
  })

  it('touches nothing else of deploy/, and nothing at all without an event platform', async () => {
    await write('deploy/compose.yaml', '# generated: services\n')
    await described({ hi: hi('greeting') })
    expect((await readdir(join(root, 'deploy'))).toSorted()).toEqual(['compose.yaml', 'knative'])
    expect(await writeManifests(defineSystem({ name: 'shop', apps: { hello } }), root)).toEqual([])
    expect(await read('300-hi.yaml')).toContain('hi-sink')
  })

  it('names a file that differs and cannot be written', async () => {
    await writeFile(join(root, 'deploy'), 'a file')
    await expect(described({ hi: hi('greeting') })).rejects.toThrow(
      `${KNATIVE}/100-namespace.yaml differs from system.ts and cannot be written (ENOTDIR)`,
    )
  })

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
})
