import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

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

/** Starts a crowd, by a command that runs Node with these arguments when it is given: to choose its core. */
export function startSseCrowd(
  options: { onNode?(args: readonly string[]): { readonly command: string; readonly args: readonly string[] } } = {},
): SseCrowd {
  const main = ['--conditions=development', fileURLToPath(new URL('./sse-crowd-main.ts', import.meta.url))]
  const { command, args } = options.onNode?.(main) ?? { command: process.execPath, args: main }
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  let turn: Promise<unknown> = Promise.resolve()

  /** One request after the other: answers carry no name. */
  function ask<T>(request: CrowdRequest): Promise<T> {
    const answer = turn.then(() => exchange<T>(child, exited, request))
    turn = answer.catch(() => undefined)
    return answer
  }

  return {
    open: (url, count, { stuck = false } = {}) => ask({ do: 'open', url, count, stuck }),
    report: () => ask({ do: 'report' }),
    reset: () => ask({ do: 'reset' }),
    reach: (events) => ask({ do: 'reach', events }),
    leave: () => ask({ do: 'leave' }),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

async function exchange<T>(child: ChildProcess, exited: Promise<unknown>, request: CrowdRequest): Promise<T> {
  const answered = once(child, 'message')
  child.send(request)
  const [answer] = (await Promise.race([answered, exited.then(() => [undefined])])) as [
    { value?: T; error?: string } | undefined,
  ]
  if (answer === undefined) throw new Error('the crowd ended')
  if (answer.error !== undefined) throw new Error(`the crowd could not ${request.do}: ${answer.error}`)
  return answer.value as T
}
