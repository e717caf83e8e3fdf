import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Response } from 'express'
import type { KindName } from '../resources/kinds.ts'
import type { KubeObject } from '../resources/object.ts'
import type { ResourceChange, ResourceStore } from '../resources/resource-store.ts'
import type { Representation } from './representation.ts'
import { failure, StatusError } from './status.ts'

/** What a watch is about. */
export interface WatchOptions {
  readonly kind: KindName
  readonly isMeant: (object: KubeObject) => boolean
  readonly representation: Representation
  /** From which resource version on; absent begins with all objects there are. */
  readonly since: number | undefined
  readonly timeoutMs: number
}

/** Streams changes, one JSON object a line, until the client leaves, the time is over or the platform stops. */
export type Watch = (res: Response, options: WatchOptions) => void

const MOST_WATCHES = 100
/** A watcher for which more changes, or more bytes of objects, are waiting is dropped; it may resume from what it has seen. */
const MOST_PENDING = 1024
const MOST_PENDING_BYTES = 1_048_576
/** How long a client may take to read the end of its watch, in milliseconds. */
const CLOSE_MS = 5000
/** So many lines are written before others get their turn. */
const LINES_A_TURN = 50

/** What a watcher is told: an object that was there, or a change. */
type Told = ResourceChange | { readonly type: 'ADDED'; readonly object: KubeObject; readonly bytes: 0 }

/**
 * Makes the watches of one store; those under way end when `shutdown` is aborted. A watcher gets as much as it reads: what waits for
 * it are the objects, which all watchers share, and no more than one line as text.
 *
 * @throws {StatusError} from the watch it returns, when there are 100 already
 */
export function createWatches({ store, shutdown }: { store: ResourceStore; shutdown: AbortSignal }): Watch {
  let open = 0
  const texts = new WeakMap<ResourceChange, Map<string, string>>()
  /** The line for a change, which is the same for all who watch in the same way. */
  const lineOf = (told: Told, representation: Representation, isFirst: boolean) => {
    const { type, object } = told
    const write = () => `${JSON.stringify({ type, object: representation.watched(object, { isFirst }) })}\n`
    if (!('version' in told)) return write()
    const lines = texts.get(told) ?? new Map<string, string>()
    texts.set(told, lines)
    const key = `${representation.name} ${isFirst}`
    const line = lines.get(key) ?? write()
    lines.set(key, line)
    return line
  }

  return (res, { kind, isMeant, representation, since, timeoutMs }) => {
    if (open >= MOST_WATCHES)
      throw new StatusError('TooManyRequests', `at most ${MOST_WATCHES} watches are possible at a time`)
    const missed = since === undefined ? undefined : store.since(since)
    res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
    res.flushHeaders()
    if (since !== undefined && missed === undefined) {
      const expired = new StatusError('Expired', `too old resource version: ${since} (${store.version})`)
      res.end(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`)
      return
    }

    const pending: Told[] = []
    let pendingBytes = 0
    let isFirst = true
    let isWriting = false
    const add = (told: Told) => {
      pending.push(told)
      pendingBytes += told.bytes
    }
    // A response that has ended closes only once its client has read it.
    const isOver = () => res.writableEnded || res.closed
    const write = async () => {
      if (isWriting) return
      isWriting = true
      for (let lines = 1; pending.length > 0 && !isOver(); lines += 1) {
        const told = pending.shift() as Told
        pendingBytes -= told.bytes
        const hasRoom = res.write(lineOf(told, representation, isFirst))
        isFirst = false
        if (!hasRoom) await drained(res)
        else if (lines % LINES_A_TURN === 0) await nextTurn()
      }
      isWriting = false
    }
    const writeOrEnd = () => void write().catch(() => res.destroy())

    const isWanted = (change: ResourceChange) => change.kind === kind && isMeant(change.object)
    for (const change of missed?.filter(isWanted) ?? []) add(change)
    const present = missed === undefined ? store.list(kind).filter(isMeant) : []
    for (const object of present) add({ type: 'ADDED', object, bytes: 0 })
    const unsubscribe = store.subscribe((change) => {
      if (!isWanted(change) || isOver()) return
      add(change)
      if (pending.length > MOST_PENDING + present.length || pendingBytes > MOST_PENDING_BYTES + change.bytes)
        res.destroy()
      else writeOrEnd()
    })

    open += 1
    let closing: NodeJS.Timeout | undefined
    const end = () => {
      pending.length = 0
      res.end()
      // One who never reads keeps no place among the watches.
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
    else writeOrEnd()
  }
}

/** Resolves when the response takes more, or never will. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.once('drain', done)
    res.once('close', done)
    if (res.closed || res.writableEnded) done()
  })
}
