import type { Response } from 'express'
import type { KindName } from '../resources/kinds.ts'
import type { ResourceChange, ResourceStore } from '../resources/resource-store.ts'
import { expired, type WatchStart } from './query.ts'
import type { Representation } from './representation.ts'
import type { Selector } from './selectors.ts'
import { failure, StatusError } from './status.ts'
import { type WatchEvent, WatchWriter } from './watch-writer.ts'

export interface WatchOptions extends WatchStart {
  readonly kind: KindName
  readonly isSelected: Selector
  readonly representation: Representation
  readonly timeoutMs: number
}

/** Streams changes, one JSON object a line, until the client leaves, the time is over or the platform stops. */
export type Watch = (res: Response, options: WatchOptions) => void

const MOST_WATCHES = 100
/** Clients know by it that they have all objects (KEP-3157). */
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' }
/** Time for a client to read the end of its watch. */
const CLOSE_MS = 5000

/**
 * Makes the watches of one store, which end when `shutdown` is aborted. Waiting events are references to objects that watchers share, and
 * at most one line of text, so a slow watcher costs little.
 *
 * @throws {StatusError} from the watch it returns, when there are 100 already
 */
export function createWatches({ store, shutdown }: { store: ResourceStore; shutdown: AbortSignal }): Watch {
  let open = 0
  const lineOf = createWatchLine()

  return (res, { kind, isSelected, representation, since, atLeast = 0, hasPresent, isMarked, timeoutMs }) => {
    if (open >= MOST_WATCHES)
      throw new StatusError('TooManyRequests', `at most ${MOST_WATCHES} watches are possible at a time`)
    const missed = since === undefined ? undefined : store.since(since)
    res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' })
    res.flushHeaders()
    if ((since !== undefined && missed === undefined) || atLeast > store.version) {
      const refusal = failure(expired(since ?? atLeast, store.version))
      res.end(`${JSON.stringify({ type: 'ERROR', object: refusal })}\n`)
      return
    }

    const isWanted = (change: ResourceChange) => change.kind === kind && isSelected(change.object)
    const present: WatchEvent[] = hasPresent
      ? store
          .list(kind)
          .filter(isSelected)
          .map((object) => ({ type: 'ADDED', object, bytes: 0 }))
      : []
    if (isMarked) present.push({ type: 'BOOKMARK', at: store.version, bytes: 0 })
    const writer = new WatchWriter({
      res,
      present,
      missed: missed?.filter(isWanted) ?? [],
      lineOf: (event, options) => lineOf(event, representation, options),
    })
    const unsubscribe = store.subscribe((change) => {
      if (isWanted(change)) writer.add(change)
    })

    open += 1
    let closing: NodeJS.Timeout | undefined
    const end = () => {
      writer.end()
      // A client that never reads must not occupy a watch.
      closing = setTimeout(() => res.destroy(), CLOSE_MS)
    }
    const timer = setTimeout(end, timeoutMs)
    shutdown.addEventListener('abort', end)
    res.once('close', () => {
      open -= 1
      unsubscribe()
      clearTimeout(timer)
      clearTimeout(closing)
      shutdown.removeEventListener('abort', end)
    })
    if (shutdown.aborted) end()
    else writer.start()
  }
}

/**
 * One event as a line; only the first line of a table has columns. Serialises each change once for all watchers with the same
 * representation.
 */
function createWatchLine() {
  const texts = new WeakMap<ResourceChange, Map<string, string>>()
  return (event: WatchEvent, representation: Representation, options: { isFirst: boolean }): string => {
    if (event.type === 'BOOKMARK') {
      const metadata = { resourceVersion: String(event.at), annotations: INITIAL_EVENTS_END }
      return `${JSON.stringify({ type: event.type, object: representation.bookmark(metadata, options) })}\n`
    }
    const { type, object } = event
    const write = () => `${JSON.stringify({ type, object: representation.watched(object, options) })}\n`
    if (!('version' in event)) return write()
    const lines = texts.get(event) ?? new Map<string, string>()
    texts.set(event, lines)
    const key = `${representation.name} ${options.isFirst}`
    const line = lines.get(key) ?? write()
    lines.set(key, line)
    return line
  }
}
