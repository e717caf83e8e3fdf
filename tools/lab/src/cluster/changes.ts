import { setTimeout as delay } from 'node:timers/promises'
import type { Deliveries } from './load/deliveries.ts'
import type { Load } from './load/load.ts'
import type { Requests } from './load/requests.ts'

interface Counts {
  readonly sent: number
  readonly failed: number
}

/** The figures of clients: since the beginning, or since figures that were taken before. */
export interface Figures {
  readonly claims: Counts
  readonly films: Counts
  readonly failures: readonly string[]
  readonly accepted: number
  readonly refusals: number
  readonly reconnections: number
}

/** The figures of clients while something changed. */
export interface ChangeFigures extends Figures {
  readonly name: string
  readonly seconds: number
}

/** How long what a change does is looked at after it has been made. */
const SETTLE_MS = 8000

/** Expected of the requests during every change. */
export const NONE_FAILED = { failures: [] }

/** Changes that are made while a load goes on, one after another. */
export interface Changes {
  /** The figures of all changes that were made. */
  readonly rows: readonly ChangeFigures[]
  /** Makes one, and gives what clients saw of it. */
  during(name: string, change: () => Promise<unknown>): Promise<ChangeFigures>
}

export function changesUnder(load: Load): Changes {
  const rows: ChangeFigures[] = []
  return {
    rows,
    async during(name, change) {
      const before = figuresOf(load)
      const startedAt = performance.now()
      await change()
      await delay(SETTLE_MS)
      const row = { name, seconds: (performance.now() - startedAt) / 1000, ...figuresOf(load, before) }
      rows.push(row)
      console.log(JSON.stringify({ ...row, failures: [...new Set(row.failures)] }))
      return row
    },
  }
}

const NOTHING: Figures = {
  claims: { sent: 0, failed: 0 },
  films: { sent: 0, failed: 0 },
  failures: [],
  accepted: 0,
  refusals: 0,
  reconnections: 0,
}

export function figuresOf({ claims, films, events, streams }: Load, before: Figures = NOTHING): Figures {
  const counted = ({ sent, failures }: Requests, since: Counts): Counts => {
    return { sent: sent - since.sent, failed: failures.length - since.failed }
  }
  return {
    claims: counted(claims, before.claims),
    films: counted(films, before.films),
    failures: [...claims.failures.slice(before.claims.failed), ...films.failures.slice(before.films.failed)],
    accepted: events.accepted.size - before.accepted,
    refusals: events.refusals - before.refusals,
    reconnections: streams.reduce((sum, { connections }) => sum + connections - 1, 0) - before.reconnections,
  }
}

/** The figures of all changes, in the order in which they were made, as a table of Markdown. */
export function changesTable(changes: readonly ChangeFigures[], deliveries: Deliveries): string {
  const rows = changes.map(({ name, seconds, claims, films, accepted, refusals, reconnections }) => [
    name,
    Math.round(seconds),
    claims.sent,
    claims.failed,
    films.sent,
    films.failed,
    accepted,
    refusals,
    reconnections,
  ])
  const head = ['change', 'seconds', 'claims', 'failed', 'films', 'failed', 'events', 'refused', 'streams opened again']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const sinks = Object.entries(deliveries).map(([sink, times]) => {
    const all = [...times.values()].reduce((sum, count) => sum + count, 0)
    return `${sink}: ${times.size} events, ${all - times.size} of them again`
  })
  return [...lines, ...sinks].join('\n')
}
