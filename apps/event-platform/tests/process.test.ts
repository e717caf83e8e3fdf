import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { isAlive } from '@taproom/processes'
import { startHttpServer } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { instances, type PlatformProcess, startPlatformProcess } from './platform-process.ts'
import { runPlatform } from './running-platform.ts'

describe('event-platform as a process', () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let platform: PlatformProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'state-'))
    opened.defer(() => rm(folder, { recursive: true }))
    const kafka = opened.use(await startEmbeddedKafka())
    const env = {
      KUBE_HOST: '0.0.0.0',
      RESOURCES_FILE: join(folder, 'resources.json'),
      KUBE_ALLOWED_HOSTS: 'platform.example',
    }
    platform = opened.use(await startPlatformProcess({ ...env, KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers }))
  })
  afterAll(() => opened.disposeAsync())

  it('refuses changes from elsewhere without its token', async () => {
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
  })

  it('stops its sinks on SIGTERM and ends with code 0', async () => {
    const headers = eventHeaders({ 'ce-type': 'aloha' })
    expect((await send(`${platform.url}/sinks/eventingaloha`, { headers, body: '{}' })).status).toBe(200)
    const [pid = 0] = instances(platform)
    expect(isAlive(pid)).toBe(true)
    const end = await platform.end('SIGTERM')
    expect(end, JSON.stringify(platform.lines.slice(-8))).toEqual({ code: 0, signal: null })
    expect(isAlive(pid)).toBe(false)
  })

  it('has kept files for its owner, and its token out of its log', async () => {
    for (const name of ['kube-token', 'resources.json']) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
    }
    expect(JSON.stringify(platform.lines)).not.toContain((await readFile(join(folder, 'kube-token'), 'utf8')).trim())
    expect(JSON.stringify(platform.lines)).toContain(
      `kubectl -s http://kubectl:$(cat ${join(folder, 'kube-token')})@HOST:`,
    )
  })
})

describe('a start of event-platform', () => {
  const start = (env: Readonly<Record<string, string>>) => runPlatform({ bootstrapServers: '127.0.0.1:1', env })

  it('fails when a port is in use, naming its variable', async () => {
    await using other = await startHttpServer(() => {})
    await expect(start({ KUBE_PORT: String(other.port) })).rejects.toThrow(
      new RegExp(`port ${other.port} is in use.*KUBE_PORT`),
    )
  })

  it('fails when its manifests cannot be read', async () => {
    const folder = join(import.meta.dirname, '../nowhere')
    await expect(start({ MANIFESTS: folder })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      problems: [`MANIFESTS="${folder}": cannot be read (ENOENT)`],
    })
  })
})
