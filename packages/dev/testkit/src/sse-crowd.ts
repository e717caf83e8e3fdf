import { fileURLToPath } from 'node:url'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'

/** What the crowd's process is told. */
export type CrowdRequest =
  | { readonly do: 'open'; readonly url: string; readonly count: number; readonly stuck: boolean }
  | { readonly do: 'report' }
  | { readonly do: 'reset' }
  | { readonly do: 'leave' }
  | { readonly do: 'reach'; readonly events: number }

/** What a crowd has seen since its last reset. */
export interface CrowdReport {
  /** Events that came, over all clients. */
  readonly events: number
  /** Events that did not follow on the one before, at the same client. */
  readonly outOfOrder: number
  /** Connections that ended although nobody left. */
  readonly closed: number
  /** Clients that got an event ever. */
  readonly reading: number
  /** The number that follows the last event of the client that is furthest behind. */
  readonly lowestNext: number
  /** How many events came after so many milliseconds, ascending. */
  readonly lagMs: readonly (readonly [lagMs: number, events: number])[]
}

/** Many clients of event streams in a process of their own; disposing of it ends them. */
export interface SseCrowd extends AsyncDisposable {
  /** Connects so many clients more; resolves when each has its headers. Stuck ones never read. */
  open(url: string, count: number, options?: { readonly stuck?: boolean }): Promise<void>
  report(): Promise<CrowdReport>
  /** Begins to count anew; who is connected stays so. */
  reset(): Promise<void>
  /** Resolves when so many events have come since the last reset. */
  reach(events: number): Promise<void>
  /** Disconnects every client. */
  leave(): Promise<void>
}

/** The mark that a crowd looks for, to be put into an event as a JSON string: its number, and when it was made. */
export function crowdMark(number: number): string {
  return `#${number}@${Date.now()}`
}

/** Starts a crowd, by a command that runs Node when it is given: to choose its core. */
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

  /** One request after the other: answers carry no name. */
  function ask<T>(request: CrowdRequest): Promise<T> {
    const answer = turn.then(() => exchange<T>(child, request))
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

async function exchange<T>(child: NodeProcess, request: CrowdRequest): Promise<T> {
  const { value, error } = await child.ask<{ value?: T; error?: string }>(request)
  if (error !== undefined) throw new Error(`the crowd could not ${request.do}: ${error}`)
  return value as T
}
