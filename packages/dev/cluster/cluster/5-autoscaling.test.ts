import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { gatewayUrl, inTaproom, kubectl } from '../src/kubectl.ts'
import { type Requests, sendRequests } from '../src/load/requests.ts'

const DEPLOYMENT = 'deployment/movie-api'
/** So little that a small machine can ask for more than a tenth of it. */
const REQUESTED_CPU = '50m'
const PER_SECOND = 100
const LEAST = 2

/** The autoscaler that production has, which goes back after 15 s instead of five minutes. */
async function autoscaler(): Promise<string> {
  const rendered = await kubectl(['kustomize', 'deploy/kubernetes/overlays/production'])
  const scaler = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .find(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'movie-api')
  scaler.spec.behavior = { scaleDown: { stabilizationWindowSeconds: 15 } }
  return JSON.stringify(scaler)
}

async function replicas(): Promise<number> {
  return Number(await inTaproom('get', DEPLOYMENT, '-o', 'jsonpath={.spec.replicas}'))
}

const POLLING = { timeout: 300_000, interval: 2000 }

describe('an autoscaler by CPU, as scaling.md has it', () => {
  let requests: Requests
  beforeAll(async () => {
    await inTaproom('set', 'resources', DEPLOYMENT, `--requests=cpu=${REQUESTED_CPU}`)
    await kubectl(['apply', '--filename', '-'], await autoscaler())
    await inTaproom('rollout', 'status', DEPLOYMENT, '--timeout=180s')
    await waitFor(`${LEAST} pods`, async () => (await replicas()) === LEAST, { timeoutMs: 300_000, intervalMs: 2000 })
    requests = sendRequests({
      url: `${await gatewayUrl()}/movie`,
      perSecond: PER_SECOND,
      check: (body) => (JSON.parse(body).length === 6 ? undefined : body),
    })
  })

  afterAll(async () => {
    await requests?.[Symbol.asyncDispose]()
    await inTaproom('delete', 'horizontalpodautoscaler/movie-api', '--ignore-not-found')
  })

  it('starts more pods when more is asked for, and ends them when less is, without a failed request', async () => {
    await expect.poll(replicas, POLLING).toBeGreaterThan(LEAST)
    await inTaproom('rollout', 'status', DEPLOYMENT, '--timeout=180s')
    await delay(10_000)
    await requests[Symbol.asyncDispose]()
    const few = sendRequests({ url: `${await gatewayUrl()}/movie`, perSecond: 2, check: () => undefined })
    await expect.poll(replicas, POLLING).toBe(LEAST)
    await few[Symbol.asyncDispose]()
    expect([...requests.failures, ...few.failures]).toEqual([])
  })
})
