import { setTimeout as delay } from 'node:timers/promises'
import { readHealth } from '@taproom/testkit'
import type { Service } from '../../harness/service.ts'

export interface HealthWatch {
  readonly name: string
  /** Milliseconds until readiness was 503 for the first time; undefined when it never was. */
  readonly downAfterMs: number | undefined
  /** True when readiness was 200 again after that. */
  readonly cameBackUp: boolean
  /** Answers of liveness that were not 200, or none at all. */
  readonly notAlive: number
}

const EVERY_MS = 200

/** Asks for readiness and liveness for `durationMs`, or longer until the service is not ready. */
export async function watchHealth(
  service: Service,
  { durationMs, noticeMs, signal }: { durationMs: number; noticeMs: number; signal: AbortSignal },
): Promise<HealthWatch> {
  const startedAt = performance.now()
  let downAfterMs: number | undefined
  let cameBackUp = false
  let notAlive = 0
  const goesOn = () => performance.now() - startedAt < (downAfterMs === undefined ? noticeMs : durationMs)
  while (goesOn()) {
    const [ready, live] = await Promise.all([
      readHealth(service.url, 'ready').catch(() => undefined),
      readHealth(service.url, 'live').catch(() => undefined),
    ])
    if (live?.status !== 200) notAlive += 1
    // A request from before the end of the time whose answer comes after it does not count.
    if (goesOn()) {
      if (ready?.status === 503) downAfterMs ??= performance.now() - startedAt
      else if (ready?.status === 200 && downAfterMs !== undefined) cameBackUp = true
    }
    await delay(EVERY_MS, undefined, { signal })
  }
  return { name: service.name, downAfterMs, cameBackUp, notAlive }
}
