import { eventually, startSseCrowd, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openStreamClient } from '../src/chaos/beers/stream-client.ts'
import { startEventLoad } from '../src/cluster/load/event-load.ts'
import { beersOutcome } from '../src/cluster/load/outcome.ts'
import { sendRequests } from '../src/cluster/load/requests.ts'
import { overlayWith, TWO_OF_EACH } from '../src/cluster/overlay.ts'
import { makeSinks, SINKS } from '../src/cluster/sinks.ts'
import { emptySystem, release } from '../src/cluster/system.ts'
import { startTopicReader } from '../src/cluster/topic-reader.ts'
import { gatewayUrl, inTaproom, kubectl, podsOf, rolledOut, shell } from '../src/harness/kubectl.ts'

const LEAST = 2
const POLLING = { timeoutMs: 300_000, intervalMs: 2000 }
const WAITING = { timeoutMs: 300_000, intervalMs: 2000 }

interface Autoscaler {
  readonly metadata: { readonly name: string }
  readonly spec: {
    behavior?: object
    readonly metrics: [{ readonly resource: { readonly target: { averageValue?: string } } }]
  }
}

/** The autoscaler that production has, which goes back after 15 s instead of minutes. */
async function autoscalerOf(app: string): Promise<Autoscaler> {
  const rendered = await kubectl(['kustomize', 'deploy/kubernetes/overlays/production'])
  const scaler = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .find(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === app)
  scaler.spec.behavior = { scaleDown: { stabilizationWindowSeconds: 15 } }
  return scaler
}

const apply = (object: object) => kubectl(['-n', 'taproom', 'apply', '--filename', '-'], JSON.stringify(object))

async function replicas(app: string): Promise<number> {
  return Number(await inTaproom('get', `deployment/${app}`, '-o', 'jsonpath={.spec.replicas}'))
}

/** The measurement of an autoscaler, empty at first. */
const measuredBy = (app: string) =>
  inTaproom(
    'get',
    `horizontalpodautoscaler/${app}`,
    '-o',
    'jsonpath={.status.currentMetrics[*].resource.current.averageValue}',
  )

const hasLeast = (app: string) => waitFor(`${LEAST} of ${app}`, async () => (await replicas(app)) === LEAST, WAITING)

beforeAll(async () => {
  await emptySystem()
  await makeSinks()
  await release(await overlayWith('autoscaling', 'development', TWO_OF_EACH))
})

afterAll(() => inTaproom('delete', 'horizontalpodautoscaler', '--all'))

describe('autoscalers by CPU, as scaling.md has them', () => {
  // The requested CPU is so little that the load of a small machine takes many times as much.
  it.each([
    { app: 'claim-api', path: '/secure/claim', requested: '20m', isRight: (body: string) => body === 'duke' },
    { app: 'movie-api', path: '/movie', requested: '50m', isRight: (body: string) => JSON.parse(body).length === 6 },
  ])(
    'more pods of $app when more is asked for, fewer when less is, without a failed request',
    async ({ app, path, requested, isRight }) => {
      const authorization = `Bearer ${(await shell('pnpm -s run token')).trim()}`
      const check = (body: string) => (isRight(body) ? undefined : body)
      const asked = { url: `${await gatewayUrl()}${path}`, headers: () => ({ authorization }), check }
      await inTaproom('set', 'resources', `deployment/${app}`, `--requests=cpu=${requested}`)
      await apply(await autoscalerOf(app))
      await rolledOut(app)
      await hasLeast(app)
      await using many = sendRequests({ ...asked, perSecond: 100 })
      await eventually(async () => expect(await replicas(app)).toBeGreaterThan(LEAST), POLLING)
      await rolledOut(app)
      const { sent } = many
      await waitFor('requests that the new pods answer, too', () => many.sent > sent + 500, WAITING)
      await many[Symbol.asyncDispose]()
      await using few = sendRequests({ ...asked, perSecond: 2 })
      await eventually(async () => expect(await replicas(app)).toBe(LEAST), POLLING)
      await rolledOut(app)
      await few[Symbol.asyncDispose]()
      expect([...many.failures, ...few.failures]).toEqual([])
    },
  )
})

const MEBIBYTES: Readonly<Record<string, number>> = { Ki: 1 / 1024, Mi: 1, Gi: 1024 }

/** Mebibytes that each pod of an app has, on average, as an autoscaler sees it; none before all of them were measured. */
async function memoryOf(app: string): Promise<number> {
  const selector = encodeURIComponent(`app.kubernetes.io/name=${app}`)
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/taproom/pods?labelSelector=${selector}`
  const { items } = JSON.parse(await kubectl(['get', '--raw', path])) as {
    items: { containers: { usage: { memory: string } }[] }[]
  }
  const each = items.flatMap(({ containers }) =>
    containers.map(({ usage: { memory } }) => Number.parseInt(memory, 10) * (MEBIBYTES[memory.slice(-2)] ?? 0)),
  )
  return each.length < LEAST ? 0 : each.reduce((sum, memory) => sum + memory, 0) / each.length
}

describe('the autoscaler of beer-stream by memory, as scaling.md has it', () => {
  const STREAMS = 3000
  /** The real one has room for 10,000 streams in each pod. */
  const MORE_MIB = 10

  it('more pods when more streams are open, and clients miss no beer when there are fewer pods', async () => {
    await using opened = new AsyncDisposableStack()
    const url = await gatewayUrl()
    const made = opened.use(await startTopicReader('beer'))
    const priced = opened.use(await startTopicReader('priced-beer'))
    const streams = Array.from({ length: 10 }, () => opened.use(openStreamClient(url, { reconnectMs: 1000 })))
    let idle = 0
    const measured = async () => {
      idle = await memoryOf('beer-stream')
      return idle
    }
    await eventually(async () => expect(await measured()).toBeGreaterThan(0), POLLING)
    const scaler = await autoscalerOf('beer-stream')
    const [metric] = scaler.spec.metrics
    const target = { ...metric.resource.target, averageValue: `${Math.round(idle) + MORE_MIB}Mi` }
    const small = { ...metric, resource: { ...metric.resource, target } }
    await apply({ ...scaler, spec: { ...scaler.spec, metrics: [small] } })
    await waitFor('the autoscaler to measure', async () => (await measuredBy('beer-stream')) !== '', WAITING)
    expect(await replicas('beer-stream')).toBe(LEAST)
    const crowd = opened.use(startSseCrowd())
    await crowd.open(`${url}/beer`, STREAMS)
    await eventually(async () => expect(await replicas('beer-stream')).toBeGreaterThan(LEAST), POLLING)
    await rolledOut('beer-stream')
    expect(await crowd.report()).toMatchObject({ closed: 0 })
    await crowd.leave()
    await apply(scaler)
    await eventually(async () => expect(await replicas('beer-stream')).toBe(LEAST), POLLING)
    await rolledOut('beer-stream')
    const beers = async () => ({ made: await made.records(), priced: await priced.records() })
    const { findings } = await beersOutcome({ streams, beers })
    expect(findings).toEqual([])
  })
})

describe('sinks by the requests under way, as scaling.md has it', () => {
  it('from zero to more than one, none of the events is lost, and back to zero', async () => {
    const podsOfSinks = () => Promise.all(SINKS.map((sink) => podsOf('default', `serving.knative.dev/service=${sink}`)))
    await eventually(async () => expect(await podsOfSinks()).toEqual([[], []]), POLLING)
    await using events = await startEventLoad({ perSecond: 40 })
    const have = (count: number) => async () => (await podsOfSinks()).every(({ length }) => length >= count)
    await eventually(async () => expect(await have(2)()).toBe(true), POLLING)
    expect(await events.lost()).toEqual([])
    await eventually(async () => expect(await podsOfSinks()).toEqual([[], []]), POLLING)
  })
})
