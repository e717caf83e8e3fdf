import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { withProgress } from './with-progress.ts'

/** A source beside sources, compiled beside what is compiled. */
const MAIN = import.meta.url.replace(/sse-crowd(?=\.\w+$)/, 'sse-crowd-main')

/** Counts since the last reset. */
export interface CrowdReport {
  /** Events of all clients. */
  readonly events: number
  /** Events that were not the next one at their client. */
  readonly outOfOrder: number
  /** Connections that were ended by the server. */
  readonly closed: number
  /** Clients that ever got an event. */
  readonly reading: number
  /** The number of the next event at the client that is furthest behind. */
  readonly lowestNext: number
  /** Numbers of events by their age on arrival, in milliseconds, ascending. */
  readonly lagMs: readonly (readonly [lagMs: number, events: number])[]
}

/** Many clients of event streams in another process; disposing of it ends them. */
export interface SseCrowd extends AsyncDisposable {
  /** Connects this many more clients; resolves when all have their headers. Stuck ones never read. */
  open(url: string, count: number, options?: { readonly stuck?: boolean }): Promise<void>
  report(): Promise<CrowdReport>
  /** Sets the counts to 0; connections stay. */
  reset(): Promise<void>
  /** Resolves when this many events have come since the last reset. */
  reach(events: number): Promise<void>
  leave(): Promise<void>
}

/** What the crowd's process does. */
export type CrowdActions = Omit<SseCrowd, typeof Symbol.asyncDispose>

/** A request to the crowd's process. */
export interface CrowdRequest {
  readonly action: keyof CrowdActions
  readonly args: Parameters<CrowdActions[keyof CrowdActions]>
}

/** The mark that a crowd looks for, to be put into an event as a JSON string: its number and its time. */
export function crowdMark(number: number): string {
  return `#${number}@${Date.now()}`
}

/** Starts a crowd; `command` runs Node, to choose its core. */
export function startSseCrowd(options: { readonly command?: readonly string[] } = {}): SseCrowd {
  const child = startNode({
    ...options,
    name: 'the crowd',
    args: endingWithParent(fileURLToPath(MAIN)),
    env: process.env,
    stdout: 'inherit',
    stderr: 'inherit',
    hasChannel: true,
  })
  let turn: Promise<unknown> = Promise.resolve()

  /** One request after the other, because answers do not name their request. */
  const does = <A extends keyof CrowdActions>(action: A) =>
    ((...args: readonly unknown[]) => {
      const answer = turn.then(async () => {
        const { value, error } = await withProgress(
          child.ask<{ value?: unknown; error?: string }>({ action, args }),
          `the crowd to ${action}`,
        )
        if (error !== undefined) throw new Error(`the crowd could not ${action}: ${error}`)
        return value
      })
      turn = answer.catch(() => undefined)
      return answer
    }) as CrowdActions[A]

  return {
    ...{ open: does('open'), report: does('report'), reset: does('reset'), reach: does('reach'), leave: does('leave') },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
