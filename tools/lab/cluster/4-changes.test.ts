import { setTimeout as delay } from 'node:timers/promises'
import { eventually, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Changes, changesTable, changesUnder, NONE_FAILED } from '../src/cluster/changes.ts'
import { type Load, startLoad } from '../src/cluster/load/load.ts'
import { beersOutcome, eventsOutcome } from '../src/cluster/load/outcome.ts'
import { overlayWith, TWO_OF_EACH } from '../src/cluster/overlay.ts'
import { CRASHES, changeSink, isServed, makeSinks, restarts, SINKS } from '../src/cluster/sinks.ts'
import { emptySystem, release } from '../src/cluster/system.ts'
import { inTaproom, kubectl, podsOf, rolledOut, shell } from '../src/harness/kubectl.ts'

/** A command that restarts the kubelet of the node, where there is one. */
const RESTART_KUBELET = process.env['CLUSTER_RESTART_KUBELET']
const THREE_OF_KAFKA = `components: [DEPLOY/components/kafka-of-three]${TWO_OF_EACH}`

let load: Load & AsyncDisposable
let changes: Changes

beforeAll(async () => {
  await emptySystem()
  await makeSinks()
  await release(await overlayWith('three-brokers', 'development', THREE_OF_KAFKA))
  load = await startLoad({ part: process.env['CLUSTER_LOAD'], partOfEvents: process.env['CLUSTER_EVENTS'] })
  changes = changesUnder(load)
})

afterAll(() => load?.[Symbol.asyncDispose]())

describe('while requests, events and streams go on', () => {
  it('nothing fails when nothing changes', async () => {
    expect(await changes.during('nothing', () => delay(20_000))).toMatchObject({ ...NONE_FAILED, refusals: 0 })
  })

  it.each(['claim-api', 'movie-api', 'beer-stream', 'price-generator', 'beer-generator'])(
    '%s is replaced without a failed request',
    async (name) => {
      const row = await changes.during(`${name} replaced`, async () => {
        await inTaproom('rollout', 'restart', `deployment/${name}`)
        await rolledOut(name)
      })
      expect(row).toMatchObject(NONE_FAILED)
    },
  )

  it.each(SINKS)('%s gets a new revision without a failed request', async (sink) => {
    const row = await changes.during(`${sink} replaced`, async () => {
      await changeSink(sink, `${sink}-v2`)
      await isServed(sink, `${sink}-v2`)
    })
    expect(row).toMatchObject(NONE_FAILED)
  })

  it.each(['claim-api', 'movie-api', 'beer-stream'])(
    'a pod of %s is evicted without a failed request',
    async (name) => {
      const row = await changes.during(`${name} evicted`, async () => {
        const [pod = ''] = await podsOf('taproom', `app.kubernetes.io/name=${name}`)
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace: 'taproom' } }
        const path = `/api/v1/namespaces/taproom/pods/${pod}/eviction`
        await kubectl(['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction))
        await inTaproom('wait', '--for=delete', `pod/${pod}`, '--timeout=120s')
        await rolledOut(name)
      })
      expect(row).toMatchObject(NONE_FAILED)
    },
  )

  it('no event that was accepted until then is lost', async () => {
    const accepted = new Set(load.events.accepted)
    await eventually(async () => expect(await load.events.missing(accepted)).toEqual([]), {
      timeoutMs: 120_000,
      intervalMs: 2000,
    })
  })

  it('one Kafka broker of three is killed: no request fails', async () => {
    const row = await changes.during('Kafka broker killed', async () => {
      await inTaproom('delete', 'pod/kafka-1', '--grace-period=0', '--force')
      await inTaproom('rollout', 'status', 'statefulset/kafka', '--timeout=300s')
    })
    expect(row).toMatchObject(NONE_FAILED)
  })

  it('PostgreSQL is restarted: films are away for a moment, and nothing else', async () => {
    const row = await changes.during('PostgreSQL restarted', async () => {
      await inTaproom('rollout', 'restart', 'statefulset/postgresql')
      await inTaproom('rollout', 'status', 'statefulset/postgresql', '--timeout=300s')
      await rolledOut('movie-api')
    })
    expect(row.claims.failed).toBe(0)
    expect(row.failures.filter((failure) => !/^50[0-9] /.test(failure))).toEqual([])
    expect(await changes.during('after PostgreSQL', () => delay(5000))).toMatchObject(NONE_FAILED)
  })

  it.skipIf(RESTART_KUBELET === undefined)(
    "the node's kubelet is restarted: no request that gets through fails",
    async () => {
      const row = await changes.during('kubelet restarted', async () => {
        await shell(RESTART_KUBELET ?? '')
        await delay(20_000)
        await kubectl(['wait', '--for=condition=Ready', 'node', '--all', '--timeout=120s'])
      })
      // When a kubelet begins, it probes again: for a moment the one proxy of the one node isn't ready, and connections are refused.
      expect(row.failures.filter((reason) => !/^connect /i.test(reason))).toEqual([])
    },
  )

  it('a new image of a sink crashes: the revision before it goes on', async () => {
    const row = await changes.during('sink crashes', async () => {
      await changeSink('eventingaloha', 'eventingaloha-v3', { command: CRASHES })
      const wait = { timeoutMs: 180_000, intervalMs: 1000 }
      await waitFor('the crashes', async () => (await restarts('eventingaloha-v3')) >= 2, wait)
    })
    expect(row).toMatchObject(NONE_FAILED)
    const mended = await changes.during('sink mended', async () => {
      await changeSink('eventingaloha', 'eventingaloha-v4')
      await isServed('eventingaloha', 'eventingaloha-v4')
    })
    expect(mended).toMatchObject(NONE_FAILED)
  })

  it('all pods of a sink are killed: its events wait', async () => {
    const row = await changes.during('sink killed', async () => {
      for (const _ of [1, 2, 3]) {
        const selector = 'serving.knative.dev/service=eventingbonjour'
        await kubectl(['delete', 'pods', '--selector', selector, '--grace-period=0', '--force'])
        await delay(3000)
      }
    })
    expect(row).toMatchObject(NONE_FAILED)
  })
})

describe('after all that', () => {
  it('every beer has one price, and every client saw every beer from its first one on, once and in order', async () => {
    const { summary, findings } = await beersOutcome(load)
    console.log(summary)
    expect(findings).toEqual([])
  })

  it('both sinks got all accepted events but for one in a hundred', async () => {
    const { summary, lost, few } = await eventsOutcome(load)
    console.log(`${changesTable(changes.rows, await load.events.deliveries())}\n${summary}`)
    expect(lost.length).toBeLessThanOrEqual(few)
  })
})
