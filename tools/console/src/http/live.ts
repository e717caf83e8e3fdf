import { reasonOf, safeJson } from '@taproom/core/lines'
import { sendJson } from '@taproom/http'
import type { Asked } from './route.ts'

export type Live = ReturnType<typeof sendLive>

/** Unsent bytes of one client; what the system's own buffers take comes on top. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
/** How soon the client comes again after the connection broke. */
const RETRY_MS = 1000

/** True when the client asks for a live answer. */
export function wantsLive({ request }: Asked): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '')
}

/** Begins a live answer. It ends when the client leaves or the console stops, by `asked.signal`; with no event for 15 s it has a comment. */
export function sendLive({ request, response, signal }: Asked) {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=UTF-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  })
  const end = () => {
    response.end()
  }
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(text)
    heartbeat.refresh()
  }
  const heartbeat = setInterval(() => write(': here\n'), HEARTBEAT_MS)
  /** Calls `then` when the client is gone; at once when it is already, as it may leave before the answer begins. */
  const whenGone = (then: () => void) => {
    if (response.destroyed) then()
    else response.once('close', then)
  }
  whenGone(() => clearInterval(heartbeat))
  // Without an end of the block: several clients take one without data for an event.
  write(`retry: ${RETRY_MS}\n`)
  if (signal.aborted || request.method === 'HEAD') end()
  else signal.addEventListener('abort', end, { once: true })
  return {
    /** True while the client has not read all that was sent to it: a state of which only the newest counts can wait. */
    get isBehind(): boolean {
      return response.writableNeedDrain
    },
    /** Sends one event. A client that leaves more than 4 MiB unread is dropped. */
    send(data: unknown, { event, id }: { readonly event?: string; readonly id?: string } = {}): void {
      const lines = [
        event && `event: ${oneLine(event)}`,
        id && `id: ${oneLine(id)}`,
        `data: ${safeJson(JSON.stringify(data))}`,
      ]
      write(`${lines.filter((line) => line !== undefined && line !== '').join('\n')}\n\n`)
    },
    end,
    whenGone,
  }
}

/** A state that can be read at any time, and that may report its changes. */
export interface View {
  read(): object | Promise<object>
  /** Called for live answers alone: reports changes until it is disposed of. */
  watch?(changed: () => void): Disposable
  /** How often a live answer reads it besides. */
  readonly everyMs?: number
}

/** Answers with a state as JSON, or live: at once and whenever it changed. A client that does not keep up misses states in between. */
export async function sendView(asked: Asked, view: View): Promise<void> {
  if (!wantsLive(asked)) {
    asked.response.setHeader('Vary', 'Accept')
    return sendJson(asked.response, 200, await view.read())
  }
  const first = await view.read()
  const live = sendLive(asked)
  let last = ''
  let isReading = false
  let isStale = false
  const send = (state: object) => {
    const text = JSON.stringify(state)
    if (text !== last) live.send(state)
    last = text
  }
  const update = async () => {
    isStale = true
    if (isReading || live.isBehind) return
    isReading = true
    try {
      while (isStale && !asked.signal.aborted) {
        isStale = false
        send(await view.read())
      }
    } catch (error) {
      // The next read may succeed: then the state is sent, even if it is the one before.
      last = ''
      live.send({ error: reasonOf(error) }, { event: 'problem' })
    } finally {
      isReading = false
    }
  }
  send(first)
  const changed = () => void update()
  const watching = view.watch?.(changed)
  const timer = view.everyMs === undefined ? undefined : setInterval(changed, view.everyMs)
  const caughtUp = () => {
    if (isStale) changed()
  }
  asked.response.on('drain', caughtUp)
  live.whenGone(() => {
    watching?.[Symbol.dispose]()
    clearInterval(timer)
  })
}

/** A list whose items come and change. */
export interface GrowingList<T> {
  /** Grows with each change. */
  version(): number
  /** All items, the newest first. */
  read(): Promise<readonly T[]>
  /** Items that came or changed after a version. */
  since(version: number): Promise<readonly T[]>
}

const NEWS_MS = 500

/** Answers with a list as JSON, or live: first all of it, then twice a second what is new. A client that does not keep up gets it later. */
export async function sendNews<T>(asked: Asked, list: GrowingList<T>): Promise<void> {
  let version = list.version()
  const items = await list.read()
  if (!wantsLive(asked)) {
    asked.response.setHeader('Vary', 'Accept')
    return sendJson(asked.response, 200, { items })
  }
  const live = sendLive(asked)
  live.send({ items })
  let isBusy = false
  const tell = async () => {
    if (isBusy || live.isBehind || version === list.version()) return
    isBusy = true
    const told = version
    version = list.version()
    try {
      const news = await list.since(told)
      if (news.length > 0) live.send({ items: news })
    } catch (error) {
      version = told
      live.send({ error: reasonOf(error) }, { event: 'problem' })
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void tell(), NEWS_MS)
  live.whenGone(() => clearInterval(timer))
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, ' ')
}
