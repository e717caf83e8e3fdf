import type { Verdict } from '../api/verdicts.ts'
import { checksOf, duration, type Facts } from './facts.ts'

const BREAKER = /^(.*?) ?circuit breaker$/i

/** Verdicts of calls between services and to remote ones: breakers that are not closed, calls that fail. */
export function remoteVerdicts(facts: Facts): readonly Verdict[] {
  const breakers = facts.health.flatMap(({ name = '' }) => breakerVerdicts(name, facts))
  const guarded = new Set(breakers.map(({ part }) => part))
  return [...breakers, ...failingCalls(facts).filter(({ evidence }) => !guarded.has(`service/${evidence['caller']}`))]
}

function breakerVerdicts(service: string, facts: Facts): readonly Verdict[] {
  return checksOf(facts, service, 'well').flatMap(({ name, data = {} }) => {
    const [, remote = ''] = BREAKER.exec(name) ?? []
    const { state, retryAfterMs } = data
    if (remote === '' || (state !== 'open' && state !== 'half-open')) return []
    const wait = typeof retryAfterMs === 'number' ? retryAfterMs : 0
    const last = facts.lastFailedCall(service)
    const next =
      state === 'open' ? `the next call is tried in ${duration(wait)}` : 'trial calls decide whether it closes'
    return {
      part: `service/${service}`,
      severity: 'error',
      problem: `${name} of ${service} is ${state}, ${next}${last === undefined ? '' : `: ${last}`}`,
      evidence: { check: name, state, retryAfterMs: wait, ...(last !== undefined && { lastFailure: last }) },
      remedy: `Restore the ${remote}; ${service} answers by its fallback meanwhile, and the breaker closes by itself.`,
    }
  })
}

/** Edges of HTTP along which calls failed in the last ten seconds, one verdict for each callee. */
function failingCalls({ picture, lastFailedCall }: Facts): readonly Verdict[] {
  const nodes = new Map(picture.nodes.map((node) => [node.id, node]))
  const failing = picture.edges.filter(({ kind, errorRate }) => kind === 'http' && errorRate > 0)
  return failing.flatMap(({ from, to, rate, errorRate }) => {
    const callee = nodes.get(to)
    // A trigger has the verdict of calls to its sink.
    if (callee === undefined || callee.kind === 'sink' || from === 'outside/outside') return []
    const [caller, name] = [nodes.get(from)?.name ?? from, callee.name]
    const last = lastFailedCall(caller)
    const percent = Math.round((100 * errorRate) / rate)
    return {
      part: to,
      severity: 'error',
      problem: `${percent} % of the calls of ${caller} to ${name} failed in the last ten seconds${last === undefined ? '' : `: ${last}`}`,
      evidence: { caller, callee: name, failedPerSecond: errorRate, callsPerSecond: rate },
      remedy: `Open a failed call in its trace for the reason: #/traces?service=${encodeURIComponent(caller)}&status=error`,
    }
  })
}
