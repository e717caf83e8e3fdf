import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SentValue } from './values.ts'

/** An event as an SDK reads it. */
export interface ReadEvent {
  readonly id: string
  readonly source: string
  readonly subject: string | null
  readonly hasData: boolean
}

/** A line that a peer writes. */
interface PeerLine {
  readonly port?: number
  /** The status of an answer. */
  readonly sent?: number
  /** Why the SDK could not send. */
  readonly failed?: string
  readonly received?: ReadEvent
  /** Why the SDK could not read. */
  readonly refused?: string
}

export interface SdkPeer extends AsyncDisposable {
  /** Events in binary mode are received here. */
  readonly url: string
  /** Sends an event in binary mode; gives the status, or why the SDK cannot. */
  send(url: string, event: SentValue & { readonly id: string; readonly type: string }): Promise<number | string>
  /** Returns the events that the SDK has read since the last call, or why it could not. */
  seen(): readonly (ReadEvent | string)[]
}

/** Starts a program of an SDK, which is asked and answers in lines of JSON, and ends with its input. */
export async function startPeer([program = '', ...args]: readonly string[]): Promise<SdkPeer> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const waiting: ((line: PeerLine) => void)[] = []
  let seen: (ReadEvent | string)[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as PeerLine
    const news = line.received ?? line.refused
    if (news === undefined) waiting.shift()?.(line)
    else seen.push(news)
  })
  const answer = async () => {
    const line = new Promise<PeerLine>((resolve) => waiting.push(resolve))
    return await Promise.race([line, ended.then(() => Promise.reject(new Error(`${program} has ended`)))])
  }
  const { port } = await answer()
  return {
    url: `http://127.0.0.1:${port}/`,
    async send(url, event) {
      child.stdin.write(`${JSON.stringify({ url, event: { source: '/sdk', ...event } })}\n`)
      const { sent, failed } = await answer()
      return sent ?? failed ?? ''
    },
    seen() {
      const news = seen
      seen = []
      return news
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await ended
    },
  }
}
