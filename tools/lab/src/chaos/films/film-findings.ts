import type { FilmFigures } from './film-clients.ts'
import type { ProcessSize } from './process-size.ts'

/** Size of a process, with its heap after a collection. */
export interface HeldSize extends ProcessSize {
  readonly heapMiB: number
}

/** A part of the run: a minute, or a third of a short run. */
export interface Stretch {
  readonly figures: FilmFigures
  /** The heap after a collection at its end; of all else, the maximum. */
  readonly size: HeldSize
}

export interface FilmRun {
  readonly stretchMs: number
  readonly stretches: readonly Stretch[]
  /** Before the first client connected, and some time after the last one left. */
  readonly idle: { readonly before: HeldSize; readonly after: HeldSize }
  readonly exitCode: number | null
}

/** Growth that is no leak: the collector is lazy, and connections come and go. */
const SLACK = { part: 1.25, heapMiB: 8, residentMiB: 32, sockets: 60, idle: 8, idleHeapMiB: 12 }

/** In a shorter part the remote has not answered in all its ways: the number of open connections does not show growth. */
const TELLING_STRETCH_MS = 10_000

/** Broken promises; empty when all were kept. */
export function findingsOf({ stretchMs, stretches, idle, exitCode }: FilmRun): string[] {
  const findings: string[] = []
  for (const { figures } of stretches) {
    for (const [outcome, times] of figures.outcomes) {
      if (outcome !== '200' && outcome !== 'gave up') findings.push(`${times} requests: ${outcome}`)
    }
    findings.push(...figures.wrong)
  }
  // The first stretch warms up: code is compiled, pools fill.
  const [, first] = stretches
  const last = stretches.at(-1)
  if (stretchMs >= TELLING_STRETCH_MS && first !== undefined && last !== undefined) {
    for (const key of ['heapMiB', 'residentMiB', 'sockets'] as const) {
      const [from, to] = [first.size[key], last.size[key]]
      if (to > from * SLACK.part + SLACK[key])
        findings.push(`${key} grew from ${Math.round(from)} to ${Math.round(to)}`)
    }
  }
  const [heapBefore, heapAfter] = [idle.before.heapMiB, idle.after.heapMiB]
  if (heapAfter > heapBefore + SLACK.idleHeapMiB) {
    findings.push(
      `${Math.round(heapAfter)} MiB of heap are in use after everybody left, ${Math.round(heapBefore)} before`,
    )
  }
  for (const key of ['sockets', 'handles'] as const) {
    const [from, to] = [idle.before[key], idle.after[key]]
    if (to > from + SLACK.idle) findings.push(`${to} ${key} are open after everybody left, ${from} before`)
  }
  if (exitCode !== 0) findings.push(`the service ended with ${exitCode} on SIGTERM`)
  return findings
}
