import { join } from 'node:path'
import { startHttpServer, startKafka, type TestKafka, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { isAlive, type PlatformProcess, startPlatformProcess } from './platform-process.ts'

const receivedBy = (platform: PlatformProcess, sink: string) =>
  platform.lines
    .filter((line) => line['msg'] === 'event received' && line['sink'] === sink)
    .map((line) => (line['event'] as { id: string }).id)
const instances = (platform: PlatformProcess) =>
  platform.lines.filter(({ msg }) => msg === 'sink instance running').map(({ pid }) => Number(pid))
const post = (platform: PlatformProcess, headers: Record<string, string>) =>
  send(`${platform.url}/default/default`, { headers, body: '{}' })
const isReady = async (platform: PlatformProcess) =>
  (await send(`${platform.url}/q/health/ready`, { method: 'GET' })).status === 200

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
    expect(await platform.end('SIGTERM')).toEqual({ code: 0, signal: null })
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

  it('loses no accepted event when it and its sinks are killed', async () => {
    const accepted: string[] = []
    const received = { eventingaloha: new Set<string>(), eventingbonjour: new Set<string>() }
    const collect = (platform: PlatformProcess) => {
      for (const sink of ['eventingaloha', 'eventingbonjour'] as const) {
        for (const id of receivedBy(platform, sink)) received[sink].add(id)
      }
    }
    for (let round = 0; round < 2; round += 1) {
      await using platform = await startPlatformProcess({ KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers })
      await waitFor('it takes events', () => isReady(platform))
      const posts = Array.from({ length: 200 }, async () => {
        const headers = eventHeaders()
        const answer = await post(platform, headers).catch(() => undefined)
        if (answer?.status === 202) accepted.push(headers['ce-id'] ?? '')
      })
      const isLast = round === 1
      if (!isLast) {
        await waitFor('some are accepted', () => accepted.length > round * 200 + 20)
        for (const pid of instances(platform)) process.kill(pid, 'SIGKILL')
        await platform.end('SIGKILL')
      }
      await Promise.all(posts)
      const isComplete = () => {
        collect(platform)
        return accepted.every((id) => received.eventingaloha.has(id) && received.eventingbonjour.has(id))
      }
      if (isLast) await waitFor('every sink has every accepted event', isComplete, { timeoutMs: 15_000 })
      collect(platform)
    }
    expect(accepted.length).toBeGreaterThan(200)
  }, 60_000)

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

  it('ends with code 1 and names every invalid variable', async () => {
    const started = startPlatformProcess({ KUBE_PORT: 'x', SCALE_TO_ZERO_IDLE_MS: 'soon' })
    await expect(started).rejects.toThrow(/ended with code 1: .*KUBE_PORT.*SCALE_TO_ZERO_IDLE_MS/)
  })

  it('ends with code 1 when a port is in use, naming its variable', async () => {
    await using other = await startHttpServer(() => {})
    const started = startPlatformProcess({ KUBE_PORT: String(other.port) })
    await expect(started).rejects.toThrow(new RegExp(`ended with code 1: .*port ${other.port} is in use.*KUBE_PORT`))
  })

  it('ends with code 1 when its manifests cannot be read', async () => {
    const started = startPlatformProcess({ MANIFESTS: 'nowhere' })
    const folder = join(import.meta.dirname, '../nowhere')
    const problems = JSON.stringify([`MANIFESTS="${folder}": cannot be read (ENOENT)`])
    await expect(started).rejects.toThrow(`"code":"ERR_CONFIG","problems":${problems}}`)
  })
})
