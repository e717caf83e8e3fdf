import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { comparePrices, compareSeen } from '@taproom/chaos/findings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayUrl, kubectl, podsOf, shell } from '../src/kubectl.ts'
import { type LoadFigures, openLoad } from '../src/load.ts'
import { followSinks } from '../src/sink-log.ts'
import { readTopic } from '../src/topic.ts'

const LOAD = { requestsPerSecond: 100, streams: 200, eventsPerSecond: 100 }
const STEADY_MS = 5000

const rolled = (kind: string, name: string) => async () => {
  await kubectl(['-n', 'taproom', 'rollout', 'restart', `${kind}/${name}`])
  await kubectl(['-n', 'taproom', 'rollout', 'status', `${kind}/${name}`, '--timeout=180s'])
}

async function evict(): Promise<void> {
  const [name = ''] = await podsOf('taproom', 'app.kubernetes.io/name=claim-api')
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'taproom' } }
  const path = `/api/v1/namespaces/taproom/pods/${name}/eviction`
  await kubectl(['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction))
  await kubectl(['-n', 'taproom', 'rollout', 'status', 'deployment/claim-api', '--timeout=180s'])
}

async function killKafka(): Promise<void> {
  await kubectl(['-n', 'taproom', 'delete', 'pod', 'kafka-0', '--grace-period=0', '--force'])
  await kubectl(['-n', 'taproom', 'rollout', 'status', 'statefulset/kafka', '--timeout=180s'])
}

async function restartKubelet(): Promise<void> {
  await shell('pkill -KILL -x kubelet')
  await delay(10_000)
  await kubectl(['wait', '--for=condition=Ready', 'node', '--all', '--timeout=120s'])
}

const CHANGES: readonly (readonly [string, () => Promise<void>])[] = [
  ['claim-api is rolled', rolled('deployment', 'claim-api')],
  ['movie-api is rolled', rolled('deployment', 'movie-api')],
  ['price-generator is rolled', rolled('deployment', 'price-generator')],
  ['beer-stream is rolled', rolled('deployment', 'beer-stream')],
  ['beer-generator is rolled', rolled('deployment', 'beer-generator')],
  ['PostgreSQL is restarted', rolled('statefulset', 'postgresql')],
  ['Kafka is killed', killKafka],
  ['a pod of claim-api is evicted', evict],
  ['the kubelet is killed', restartKubelet],
]

describe(`while ${LOAD.requestsPerSecond} requests, ${LOAD.streams} streams and ${LOAD.eventsPerSecond} events a second`, () => {
  let folder: string
  let log: string
  let sinks: AsyncDisposable
  let url: string
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cluster-changes-'))
    log = join(folder, 'sinks.log')
    sinks = followSinks(log)
    url = await gatewayUrl()
    token = (await shell('pnpm -s run token')).trim()
    // As production has it: a pod that is evicted leaves another.
    await kubectl(['-n', 'taproom', 'scale', 'deployment/claim-api', 'deployment/beer-stream', '--replicas=2'])
    for (const name of ['claim-api', 'beer-stream'])
      await kubectl(['-n', 'taproom', 'rollout', 'status', `deployment/${name}`, '--timeout=180s'])
  })

  afterAll(async () => {
    await sinks[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** How often each sink got each event. */
  async function deliveries(): Promise<ReadonlyMap<string, number>> {
    const got = new Map<string, number>()
    for (const line of (await readFile(log, 'utf8')).split('\n')) {
      const [, service] = /"service":"(aloha-sink|bonjour-sink)"/.exec(line) ?? []
      const [, id] = /"id":"([0-9a-f-]{36})"/.exec(line) ?? []
      if (service !== undefined && id !== undefined) got.set(`${id} ${service}`, (got.get(`${id} ${service}`) ?? 0) + 1)
    }
    return got
  }

  const missing = (accepted: readonly string[], got: ReadonlyMap<string, number>) =>
    accepted.flatMap((id) => ['aloha-sink', 'bonjour-sink'].filter((service) => !got.has(`${id} ${service}`)))

  async function note(change: string, figures: LoadFigures, seconds: number): Promise<void> {
    const got = await deliveries()
    const times = figures.accepted.flatMap((id) =>
      ['aloha-sink', 'bonjour-sink'].map((service) => got.get(`${id} ${service}`) ?? 0),
    )
    const seen = figures.clients.reduce((sum, client) => sum + client.seen.length, 0)
    const row = [
      change,
      `${Math.round(seconds)} s`,
      `${figures.requests} requests, ${JSON.stringify(figures.failed)} failed`,
      `${figures.accepted.length} events accepted, ${JSON.stringify(figures.refused)} refused`,
      `${times.filter((count) => count > 0).length} delivered, ${missing(figures.accepted, got).length} missing`,
      `${seen} beers seen, ${figures.clients.reduce((sum, client) => sum + client.connections, 0)} streams`,
    ].join(' | ')
    await appendFile(process.env['CLUSTER_FIGURES'] ?? '/dev/stdout', `| ${row} |\n`)
  }

  it.each(CHANGES)('%s: no request fails, no event and no beer is missed', async (name, change) => {
    const startedAt = performance.now()
    await using load = openLoad({ url, token, ...LOAD })
    await delay(STEADY_MS)
    await change()
    await delay(STEADY_MS)
    await load.settle()
    const { figures } = load
    await expect
      .poll(async () => missing(figures.accepted, await deliveries()).length, { timeout: 60_000, interval: 1000 })
      .toBe(0)
      .catch(() => undefined)
    await note(name, figures, (performance.now() - startedAt) / 1000)
    const priced = await readTopic('priced-beer')
    const findings = new Set(figures.clients.flatMap(({ seen }) => compareSeen(priced.slice(0, -1), seen)))
    expect.soft(figures.failed).toEqual({})
    expect.soft([...findings]).toEqual([])
    expect.soft(missing(figures.accepted, await deliveries()).length).toBe(0)
  })

  it('every beer has one price, after all of it', async () => {
    // Prices follow their beers: what was sent while the first topic was read is priced when the second one has been.
    const beers = await readTopic('beer')
    const priced = await readTopic('priced-beer')
    expect(comparePrices(beers, priced).filter((finding) => !/beers have \d+ prices$/.test(finding))).toEqual([])
    expect(priced.length).toBeGreaterThanOrEqual(beers.length)
  })
})
