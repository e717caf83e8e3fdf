import { createGuard } from '@taproom/resilience'
import {
  ConstantBackoff,
  CountBreaker,
  circuitBreaker,
  fallback,
  handleAll,
  type IPolicy,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import CircuitBreaker from 'opossum'
import type { Contender } from '../../harness/contender.ts'
import type { Area } from '../area.ts'
import { inProcess } from '../contenders.ts'

/** The contract's values. */
const POLICIES = {
  retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0 },
  timeout: { timeoutMs: 2000 },
  circuitBreaker: { requestVolumeThreshold: 4, failureRatio: 0.5, delayMs: 5000, successThreshold: 2 },
}
const CALLS = 100_000
const film = { title: 'A New Hope' }
const nothing = { title: '' }

/** The cost of policies around a call that succeeds at once and costs nothing itself. */
export async function openPoliciesArea(opened: AsyncDisposableStack): Promise<Area> {
  const { retry, timeout, circuitBreaker } = POLICIES
  const fallback = { handler: () => nothing }
  const four = createGuard({ name: 'film', retry, timeout, circuitBreaker, fallback })
  const three = createGuard({ name: 'film', timeout, circuitBreaker, fallback })
  const cockatiel = cockatielPolicies(nothing)
  const opossum = openOpossum(call, nothing)
  opened.defer(() => opossum.shutdown())
  const contender = (name: string, run: () => unknown): Contender => inProcess(name, run, { calls: CALLS })

  const ours = contender('guard', () => four.execute(call))
  return {
    unit: 'calls per CPU second',
    rows: [
      { what: 'all four policies', ours, peer: contender('plain call', call), atMostLonger: 15e-6 },
      { what: 'all four policies', ours, peer: contender('cockatiel', () => cockatiel.execute(call)) },
      {
        what: 'timeout, breaker, fallback',
        ours: contender('guard', () => three.execute(call)),
        peer: contender('opossum', () => opossum.fire()),
      },
    ],
  }
}

async function call(): Promise<typeof film> {
  return film
}

/** The same policies, as near as cockatiel has them, in the same order: Fallback(Retry(CircuitBreaker(Timeout(call)))). */
function cockatielPolicies<T>(instead: T): IPolicy<never, T> {
  const { maxRetries, delayMs } = POLICIES.retry
  const { requestVolumeThreshold: size, failureRatio: threshold } = POLICIES.circuitBreaker
  return wrap(
    fallback(handleAll, instead),
    retry(handleAll, { maxAttempts: maxRetries, backoff: new ConstantBackoff(delayMs) }),
    circuitBreaker(handleAll, {
      halfOpenAfter: POLICIES.circuitBreaker.delayMs,
      breaker: new CountBreaker({ size, threshold }),
    }),
    timeout(POLICIES.timeout.timeoutMs, TimeoutStrategy.Aggressive),
  ) as unknown as IPolicy<never, T>
}

/** opossum's breaker with its timeout and fallback; it has no retry. */
function openOpossum<T>(call: () => Promise<T>, instead: T): CircuitBreaker<[], T> {
  const { requestVolumeThreshold, failureRatio, delayMs } = POLICIES.circuitBreaker
  const breaker = new CircuitBreaker<[], T>(call, {
    timeout: POLICIES.timeout.timeoutMs,
    volumeThreshold: requestVolumeThreshold,
    errorThresholdPercentage: failureRatio * 100,
    resetTimeout: delayMs,
  })
  breaker.fallback(() => instead)
  return breaker
}
