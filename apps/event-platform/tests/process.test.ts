import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@taproom/processes'
import { startHttpServer, startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { instances, startPlatformProcess } from './platform-process.ts'

describe('event-platform as a process', () => {
  let kafka: TestKafka
  beforeAll(async () => {
    kafka = await startKafka()
  })
  afterAll(() => kafka?.[Symbol.asyncDispose]())

  it('stops its sinks on SIGTERM and ends with code 0', async () => {
    await using platform = await startPlatformProcess({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers })
    const headers = eventHeaders({ 'ce-type': 'aloha' })
    expect((await send(`${platform.url}/sinks/eventingaloha`, { headers, body: '{}' })).status).toBe(200)
    const [pid = 0] = instances(platform)
    expect(isAlive(pid)).toBe(true)
    const end = await platform.end('SIGTERM')
    expect(end, JSON.stringify(platform.lines.slice(-8))).toEqual({ code: 0, signal: null })
    expect(isAlive(pid)).toBe(false)
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

  it('lets nobody change its resources from elsewhere who cannot read its token, and keeps files for its owner', async () => {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'state-'))
    opened.defer(() => rm(folder, { recursive: true }))
    const env = {
      KUBE_HOST: '0.0.0.0',
      RESOURCES_FILE: join(folder, 'resources.json'),
      KUBE_ALLOWED_HOSTS: 'platform.example',
    }
    const platform = opened.use(await startPlatformProcess({ ...env, KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers }))
    const token = (await readFile(join(folder, 'kube-token'), 'utf8')).trim()
    const create = (headers: Record<string, string>) =>
      send(`${platform.kubeUrl}/api/v1/namespaces`, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tap' } }),
      })
    const authorization = `Bearer ${token}`
    expect((await create({})).status).toBe(401)
    expect((await create({ authorization, host: 'evil.example' })).status).toBe(403)
    expect((await create({ authorization, host: 'platform.example:8001' })).status).toBe(201)
    expect(await platform.end('SIGTERM')).toEqual({ code: 0, signal: null })
    for (const name of ['kube-token', 'resources.json']) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
    }
    expect(JSON.stringify(platform.lines)).not.toContain(token)
    expect(JSON.stringify(platform.lines)).toContain(
      `kubectl -s http://kubectl:$(cat ${join(folder, 'kube-token')})@HOST:`,
    )
  })
})
