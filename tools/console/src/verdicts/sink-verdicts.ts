import type { Verdict } from '../api/verdicts.ts'
import { closeName } from './close-names.ts'
import { count, fullName, platformData, type Sink } from './eventing-facts.ts'
import { duration, type Facts } from './facts.ts'

/** An instance that is asked and has answered nothing for so long is slow. */
export const SLOW_MS = 5000

/** Verdicts of sinks: starts that fail, crashes, apps that are not there. */
export function sinkVerdicts(facts: Facts): readonly Verdict[] {
  return facts.eventing.sinks.flatMap((sink) => sinkVerdict(sink, facts) ?? [])
}

/** The verdict of one sink; undefined while it is well. A trigger that delivers to it has the same cause. */
export function sinkVerdict(sink: Sink, facts: Facts): Verdict | undefined {
  const name = fullName(sink)
  const data = platformData(facts, `Sink ${name}`)
  const crashes = count(data, 'crashes')
  if (crashes > 0) return crashed(sink, { name, data, crashes })
  if (sink.ready !== 'False') return undefined
  const { app, reason = '', message = '' } = sink
  const apps = facts.eventing.sinks.filter(({ ready }) => ready === 'True').map((each) => each.app)
  const close = closeName(app, apps)
  return {
    part: `sink/${name}`,
    severity: 'error',
    problem: `sink ${name} is not ready: ${message || reason}${close === undefined ? '' : `; did you mean ${close}?`}`,
    evidence: { app, reason, message },
    remedy: `Correct image or args of the Service ${sink.name}: they name the app that it runs.`,
  }
}

interface Crashed {
  readonly name: string
  readonly data: Readonly<Record<string, string | number | boolean>>
  readonly crashes: number
}

function crashed({ instances, app }: Sink, { name, data, crashes }: Crashed): Verdict {
  const next = count(data, 'nextStartMs')
  const start = instances > 0 ? `${instances} run at the moment` : `next start in ${duration(next)} at the earliest`
  return {
    part: `sink/${name}`,
    severity: instances > 0 ? 'warning' : 'error',
    problem: `sink ${name}: crash: ${crashes} ${crashes === 1 ? 'start' : 'starts'} failed: ${data['lastCrash'] ?? 'it ended'}`,
    evidence: { app, ...data, next: start },
    remedy: `Correct the cause in the manifest's env or in apps/${app}; events are delivered again meanwhile, then become dead letters.`,
  }
}
