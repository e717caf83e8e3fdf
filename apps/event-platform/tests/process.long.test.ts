import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedKafka, startEmbeddedKafka } from '@taproom/embedded-kafka'
import { isAlive } from '@taproom/processes'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { instances, startPlatformProcess } from './platform-process.ts'

describe('event-platform as a process', () => {
  let kafka: EmbeddedKafka
  beforeAll(async () => {
    kafka = await startEmbeddedKafka()
  })
  afterAll(() => kafka?.[Symbol.asyncDispose]())

  it('starts a sink that was killed again for the next event', async () => {
    await using platform = await startPlatformProcess({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers })
    const direct = () =>
      send(`${platform.url}/sinks/eventingaloha`, { headers: eventHeaders({ 'ce-type': 'aloha' }), body: '{}' })
    expect((await direct()).status).toBe(200)
    const [pid = 0] = instances(platform)
    process.kill(pid, 'SIGKILL')
    await waitFor('it is seen', () => platform.lines.some(({ msg }) => msg === 'sink instance crashed'))
    expect((await direct()).status).toBe(200)
  })

  it('logs once why a valid object of its manifests cannot work', async () => {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'manifests-'))
    opened.defer(() => rm(folder, { recursive: true }))
    await writeFile(
      join(folder, 'a.yaml'),
      `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: nothing }
spec: { template: { spec: { containers: [{ image: no-such-app }] } } }
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: astray }
spec: { broker: gone, subscriber: { uri: "http://s.example" } }
`,
    )
    const platform = opened.use(
      await startPlatformProcess({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers, MANIFESTS: folder }),
    )
    const warnings = () => platform.lines.filter(({ msg }) => msg === 'object not ready')
    await waitFor('both are told', () => warnings().length >= 2)
    expect(platform.lines.find(({ msg }) => msg === 'manifests applied')).toMatchObject({ refused: 0, added: 2 })
    expect(warnings()).toEqual([
      expect.objectContaining({ level: 'warn', object: 'Service default/nothing', reason: 'ContainerMissing' }),
      expect.objectContaining({ level: 'warn', object: 'Trigger default/astray', reason: 'BrokerDoesNotExist' }),
    ])
  })

  it('starts with what another version left that ended it', async () => {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'state-'))
    opened.defer(() => rm(folder, { recursive: true }))
    const trigger = (name: string, uri: string) => ({
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Trigger',
      metadata: { name, namespace: 'default' },
      spec: { broker: 'default', subscriber: { uri } },
    })
    const ref = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'default' }
    const leaving = { ...trigger('leaving', ''), spec: { broker: 'default', subscriber: { ref, uri: '//' } } }
    const deep = `{"apiVersion":"eventing.knative.dev/v1","kind":"Broker","metadata":{"name":"deep","namespace":"default"},"spec":{"config":${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}}}`
    const objects = [leaving, trigger('good', 'http://s.example')].map((object) => JSON.stringify(object))
    await writeFile(join(folder, 'r.json'), `{"version":1,"objects":[${[...objects, deep].join()}],"applied":[]}`)
    const env = { RESOURCES_FILE: join(folder, 'r.json'), KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers }
    const platform = opened.use(await startPlatformProcess(env))
    const told = platform.lines.filter(({ msg }) => msg === 'kept resource is not valid any more, set aside')
    expect(told.map(({ object }) => object)).toEqual(['Trigger/default/leaving', 'Broker/default/deep'])
    const triggers = await send(`${platform.kubeUrl}/apis/eventing.knative.dev/v1/triggers`, { method: 'GET' })
    expect(triggers.body).toContain('"good"')
    expect(await platform.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('decisions 3.138: has after SIGKILL what it answered right before', async () => {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'platform-'))
    opened.defer(() => rm(folder, { recursive: true }))
    const env = { RESOURCES_FILE: join(folder, 'r.json'), KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers }
    const answers: Record<string, number> = {}
    for (let life = 0; life < 3; life += 1) {
      const platform = opened.use(await startPlatformProcess(env))
      const namespaces = `${platform.kubeUrl}/api/v1/namespaces`
      for (const [name, expected] of Object.entries(answers)) {
        expect((await send(`${namespaces}/${name}`, { method: 'GET' })).status, name).toBe(expected)
      }
      if (life === 1) {
        expect((await send(`${namespaces}/made-0`, { method: 'DELETE' })).status).toBe(200)
        answers['made-0'] = 404
      } else {
        const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `made-${life}` } })
        const made = await send(namespaces, { headers: { 'content-type': 'application/json' }, body })
        expect(made.status).toBe(201)
        answers[`made-${life}`] = 200
      }
      await platform.end('SIGKILL')
    }
  })

  it('leaves no sink behind when it is killed', async () => {
    await using platform = await startPlatformProcess({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers })
    const headers = eventHeaders({ 'ce-type': 'aloha' })
    await send(`${platform.url}/sinks/eventingaloha`, { headers, body: '{}' })
    const [pid = 0] = instances(platform)
    await platform.end('SIGKILL')
    await waitFor('the sink is gone', () => !isAlive(pid))
  })

  it('ends with code 1 and names every invalid variable', async () => {
    const started = startPlatformProcess({ KUBE_PORT: 'x', SCALE_TO_ZERO_IDLE_MS: 'soon' })
    await expect(started).rejects.toThrow(/exited with code 1: .*KUBE_PORT.*SCALE_TO_ZERO_IDLE_MS/)
  })

  it('ends with code 1 when a port is in use, naming its variable', async () => {
    await using other = await startHttpServer(() => {})
    const started = startPlatformProcess({ KUBE_PORT: String(other.port) })
    await expect(started).rejects.toThrow(new RegExp(`exited with code 1: .*port ${other.port} is in use.*KUBE_PORT`))
  })

  it('ends with code 1 when its manifests cannot be read', async () => {
    const started = startPlatformProcess({ MANIFESTS: 'nowhere' })
    const folder = join(import.meta.dirname, '../nowhere')
    const problems = JSON.stringify([`MANIFESTS="${folder}": cannot be read (ENOENT)`])
    await expect(started).rejects.toThrow(`"code":"CONFIG_INVALID","problems":${problems}}`)
  })
})
