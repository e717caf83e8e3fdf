import type { Verdict } from '../api/verdicts.ts'
import { breakerChecks } from '../picture/breaker-checks.ts'
import { duration, type Facts } from './facts.ts'

/** Verdicts of calls between services and to remote ones: breakers that are not closed, calls that fail. */
export function remoteVerdicts(facts: Facts): readonly Verdict[] {
  const breakers = breakerVerdicts(facts)
  const guarded = new Set(breakers.map(({ part }) => part))
  return [...breakers, ...failingCalls(facts).filter(({ evidence }) => !guarded.has(`service/${evidence['caller']}`))]
}

function breakerVerdicts(facts: Facts): readonly Verdict[] {
  return breakerChecks({ services: facts.health }).flatMap(({ service, check, name, state, retryAfterMs }) => {
    if (state === 'closed') return []
    const last = facts.lastFailedCall(service)
    const next =
      state === 'open' ? `the next call is tried in ${duration(retryAfterMs)}` : 'trial calls decide whether it closes'
    return {
      part: `service/${service}`,
      severity: 'error',
      problem: `${check} of ${service} is ${state}, ${next}${last === undefined ? '' : `: ${last}`}`,
      evidence: { check, state, retryAfterMs, ...(last !== undefined && { lastFailure: last }) },
      remedy: `Restore the ${name}; ${service} answers with its fallback until the breaker closes by itself.`,
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
