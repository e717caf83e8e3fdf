import { ENDED, isOfKafka, RELOAD_FAILED, RELOADED } from '@taproom/start/control'
import type { ServiceView } from '../api/services.ts'
import type { Verdict } from '../api/verdicts.ts'
import { processId } from '../picture/places.ts'
import { isStopped } from './channel-verdicts.ts'
import { duration, type Facts, plainData } from './facts.ts'
import { failureAmong, lineText } from './failure-lines.ts'

/** A service that crashed is named for so long, unless it still waits to be started again. */
const LATELY_MS = 60_000
/** Lines before an end that may have its cause. */
const BEFORE_END_MS = 15_000
const AFTER_END_MS = 1000
/** In the line of @taproom/database. */
const MIGRATION_CHANGED = 'migration was changed after it ran'
const SLOW_START_MS = 15_000
const LINES = 100

/** Verdicts of processes: crashes, failed starts, checks that are DOWN, changed sources that cannot be run. */
export function serviceVerdicts(facts: Facts): readonly Verdict[] {
  const processes = facts.services.filter(({ kind }) => kind === 'app' || kind === 'stand-in')
  return processes.flatMap((service) => {
    const found = [stateVerdict(service, facts), reloadVerdict(service, facts), migrationVerdict(service, facts)]
    const part = processId(service, facts.system)
    return found.filter((each) => each !== undefined).map((each) => ({ part, ...each }))
  })
}

type Found = Omit<Verdict, 'part'>

function stateVerdict(service: ServiceView, facts: Facts): Found | undefined {
  if (service.state === 'stopped') {
    const remedy = `Run pnpm service start ${service.name}, or start it on the console's page.`
    const problem = `${service.name} was stopped and does not run`
    return { severity: 'error', problem, evidence: { state: 'stopped' }, remedy }
  }
  // None where Kafka is the cause: an earlier crash must not take its place.
  if (service.state === 'not ready') return notReady(service, facts)
  return crashVerdict(service, facts) ?? slowStart(service, facts)
}

function crashVerdict({ name, state, crashes, startedAt = 0 }: ServiceView, { now, lines }: Facts): Found | undefined {
  const warnings = lines({ service: name, level: 'warn' }, LINES)
  const ended = warnings.findLast(({ msg }) => msg === ENDED)
  if (ended === undefined) return undefined
  if (state !== 'waiting' && now - ended.time > LATELY_MS) return undefined
  const isUp = state === 'ready'
  // The line is newer than the state: the next look has both.
  if (isUp && startedAt < ended.time) return undefined
  const ending = String(ended.fields['ending'] ?? 'ended')
  const near = warnings.filter((line) => line !== ended && line.time > ended.time - BEFORE_END_MS)
  const failure = failureAmong(near.filter(({ time }) => time < ended.time + AFTER_END_MS))
  const cause = failure?.text ?? ending
  return {
    severity: isUp ? 'warning' : 'error',
    problem: `${name} crashed${crashes > 1 ? ` ${crashes} times` : ''}${isUp ? ' and runs again' : ''}: ${cause}`,
    evidence: {
      ...{ state, crashes, ending, lastEndAt: new Date(ended.time).toISOString() },
      ...(failure !== undefined && { logLine: failure.line.id }),
    },
    remedy: failure?.isConfiguration
      ? `Correct the value in system.ts, or in the environment of pnpm start and start it again.`
      : `Correct the cause; the stack is in the log: #/logs?service=${encodeURIComponent(name)}&level=warn`,
  }
}

function notReady(service: ServiceView, facts: Facts): Found | undefined {
  const { name } = service
  // These causes have verdicts of their own.
  const failing = service.failing.filter(
    (check) => !(isOfKafka(check) && (facts.kafkaProblem !== undefined || isStopped(check.name, service, facts))),
  )
  if (failing.length === 0 && service.failing.length > 0) return undefined
  const said = failing.map((check) => `check "${check.name}" is DOWN${dataText(plainData(check.data))}`)
  const [lastError] = facts.lines({ service: name, level: 'error', since: facts.now - LATELY_MS }, 1)
  const evidence = Object.assign({}, ...failing.map((check) => ({ [check.name]: 'DOWN', ...plainData(check.data) })))
  return {
    severity: 'error',
    problem: `${name} is not ready: ${said.join('; ') || 'it sent no report'}`,
    evidence: { ...evidence, ...(lastError !== undefined && { lastError: lineText(lastError) }) },
    remedy: `Restore what the check names; requests to ${name} are answered as before. Its variables: #/services/${name}`,
  }
}

function slowStart({ name, state, startedAt }: ServiceView, facts: Facts): Found | undefined {
  const isStarting = state === 'starting' || state === 'restarting'
  if (!isStarting || startedAt === undefined || facts.now - startedAt < SLOW_START_MS) return undefined
  const [last] = facts.lines({ service: name }, 1)
  return {
    severity: 'error',
    problem: `${name} has been starting for ${duration(facts.now - startedAt)} and is not ready yet`,
    evidence: { state, startingMs: facts.now - startedAt, ...(last !== undefined && { lastLine: lineText(last) }) },
    remedy: `See which check of it is DOWN and what it wrote: #/services/${name}`,
  }
}

/** Until changed sources could be run. */
function reloadVerdict({ name, startedAt = 0 }: ServiceView, { lines, system: { root } }: Facts): Found | undefined {
  const [failed] = lines({ service: name, level: 'warn', text: RELOAD_FAILED, since: startedAt }, 1)
  if (failed === undefined) return undefined
  const [reloaded] = lines({ service: name, text: RELOADED, since: failed.time }, 1)
  if (reloaded !== undefined && reloaded.id > failed.id) return undefined
  const { at, reason } = plainData(failed.fields)
  return {
    severity: 'error',
    problem: `the changed sources of ${name} do not work, the earlier version runs: ${reason ?? failed.msg}`,
    evidence: plainData(failed.fields),
    remedy: at === undefined ? 'Correct the sources and save.' : `Correct ${at} and save.`,
    ...(at !== undefined && root !== undefined && { source: `${root}/${at}` }),
  }
}

/** A migration does not run again: the tables are those of the earlier one. */
function migrationVerdict({ name, startedAt = 0 }: ServiceView, { lines }: Facts): Found | undefined {
  const changed = lines({ service: name, level: 'warn', text: MIGRATION_CHANGED, since: startedAt }, LINES)
  const last = changed.at(-1)
  if (last === undefined) return undefined
  const names = [...new Set(changed.map(({ fields }) => String(fields['migration'])))].join(', ')
  return {
    severity: 'warning',
    problem: `${name}: a ${MIGRATION_CHANGED}, which has no effect: ${names}`,
    evidence: { migrations: names, logLine: last.id },
    remedy:
      'Run pnpm start --fresh, which begins with empty databases and topics; or undo the change and add a new migration.',
  }
}

function dataText(data: Readonly<Record<string, unknown>>): string {
  const { reason, error } = data
  if (reason !== undefined || error !== undefined) return `: ${reason ?? error}`
  const pairs = Object.entries(data).map(([key, value]) => `${key} ${value}`)
  return pairs.length === 0 ? '' : ` (${pairs.join(', ')})`
}
