import type { ShownStatus } from '@taproom/start/control'
import type { ServiceView } from '../api/services.ts'
import type { ProcessUsage } from './process-usage.ts'

/** The processes of a system with what they use. */
export interface ServiceSample {
  readonly at: number
  readonly usage: ReadonlyMap<number, ProcessUsage>
}

/** The used part of one core between two samples; undefined for a process without an earlier sample. */
function cpuOf(pid: number, now: ServiceSample, before: ServiceSample | undefined): number | undefined {
  const [later, earlier] = [now.usage.get(pid), before?.usage.get(pid)]
  if (later === undefined || earlier === undefined || before === undefined || now.at <= before.at) return undefined
  return Math.max(0, Math.round(((later.cpuMs - earlier.cpuMs) / (now.at - before.at)) * 1000) / 1000)
}

/**
 * Matches an app that the event platform runs, from its sources or as a bundle. A folder above may be `apps`, too: the last one counts. The
 * command line of a bundle has a program of several lines before.
 */
const SINK_MAIN = /^.*[/\\]apps[/\\]([\w-]+)[/\\]/s

/** Services as people see them: the system's processes, then the sinks that `platform` runs at the moment. */
export function serviceViews(
  statuses: readonly ShownStatus[],
  { platform, now, before }: { platform: number | undefined; now: ServiceSample; before: ServiceSample | undefined },
): readonly ServiceView[] {
  const used = (pid = 0) => ({ cpu: cpuOf(pid, now, before), memoryBytes: now.usage.get(pid)?.memoryBytes })
  const services = statuses.map((status) => ({ ...status, ...used(status.pid) }))
  const sinks = [...now.usage.values()].flatMap(({ pid, parent, command }) => {
    const [, name] = SINK_MAIN.exec(command) ?? []
    if (name === undefined || platform === undefined || parent !== platform) return []
    const sink = { name, kind: 'sink', state: 'ready', pid, crashes: 0, restarts: 0, failing: [] } as const
    return [{ ...sink, ...used(pid) }]
  })
  return [...services, ...sinks.sort((one, other) => one.name.localeCompare(other.name))]
}
