import { pause } from '@taproom/core/time'
import type { SystemFacts } from '@taproom/start/control'
import type { ServiceView } from '../api/services.ts'
import { recent } from '../http/recent.ts'
import type { Control } from './control.ts'
import { readUsage } from './process-usage.ts'
import { type ServiceSample, serviceViews } from './service-views.ts'

export type SystemWatch = ReturnType<typeof createSystemWatch>

const FRESH_MS = 500
/** Before the control socket is asked again for changes. */
const AGAIN_MS = 1000

/** The processes for all clients that look: however many they are, the system is asked once, and without a client never. */
export function createSystemWatch(
  control: Pick<Control, 'services' | 'follow'>,
  facts: Pick<SystemFacts, 'platform'>,
  now: () => number = () => performance.now(),
) {
  const watchers = new Set<() => void>()
  let following: AbortController | undefined
  let samples: { readonly last: ServiceSample; readonly before: ServiceSample | undefined } | undefined

  async function ask(): Promise<readonly ServiceView[]> {
    const statuses = await control.services()
    const platform = statuses.find(({ name }) => name === facts.platform)?.pid
    const pids = statuses.flatMap(({ pid }) => pid ?? [])
    const usage = await readUsage(pids, platform)
    const last = { at: now(), usage: new Map(usage.map((one) => [one.pid, one])) }
    // Between two samples that are milliseconds apart, a process used all or nothing.
    const isClose = samples !== undefined && last.at - samples.last.at < FRESH_MS
    const before = isClose ? samples?.before : samples?.last
    if (!isClose) samples = { last, before }
    return serviceViews(statuses, { platform, now: last, before })
  }

  const asked = recent(FRESH_MS, ask, now)

  async function follow(signal: AbortSignal): Promise<void> {
    const changed = () => {
      asked.forget()
      for (const watcher of watchers) watcher()
    }
    while (!signal.aborted) {
      await control.follow('/changes', changed, signal).catch(() => undefined)
      await pause(AGAIN_MS)
    }
  }

  return {
    /** The services as they were at most so many milliseconds ago: each look asks every service whether it is ready. */
    services: asked.read,
    /** Calls back at each change of a process, until it is disposed of. */
    watch(changed: () => void): Disposable {
      watchers.add(changed)
      if (following === undefined) {
        following = new AbortController()
        void follow(following.signal)
      }
      return {
        [Symbol.dispose]() {
          watchers.delete(changed)
          if (watchers.size > 0) return
          following?.abort()
          following = undefined
        },
      }
    },
  }
}
