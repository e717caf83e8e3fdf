import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'

/** A request to the crowd's process. */
export type CrowdRequest =
  | { readonly do: 'open'; readonly url: string; readonly count: number; readonly stuck: boolean }
  | { readonly do: 'report' }
  | { readonly do: 'reset' }
  | { readonly do: 'leave' }
  | { readonly do: 'reach'; readonly events: number }

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

/** The mark that a crowd looks for, to be put into an event as a JSON string: its number and its time. */
export function crowdMark(number: number): string {
  return `#${number}@${Date.now()}`
}

/** Starts a crowd; `command` runs Node, to choose its core. */
export function startSseCrowd(options: { readonly command?: readonly string[] } = {}): SseCrowd {
  const child = startNode({
    ...options,
    name: 'the crowd',
    args: endingWithParent(fileURLToPath(new URL('./sse-crowd-main.ts', import.meta.url))),
    env: process.env,
    stdout: 'inherit',
    stderr: 'inherit',
    hasChannel: true,
  })
  let turn: Promise<unknown> = Promise.resolve()

  /** One request after the other, because answers do not name their request. */
  function ask<T>(request: CrowdRequest): Promise<T> {
    const answer = turn.then(async () => {
      const { value, error } = await child.ask<{ value?: T; error?: string }>(request)
      if (error !== undefined) throw new Error(`the crowd could not ${request.do}: ${error}`)
      return value as T
    })
    turn = answer.catch(() => undefined)
    return answer
  }

  return {
    open: (url, count, { stuck = false } = {}) => ask({ do: 'open', url, count, stuck }),
    report: () => ask({ do: 'report' }),
    reset: () => ask({ do: 'reset' }),
    reach: (events) => ask({ do: 'reach', events }),
    leave: () => ask({ do: 'leave' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
