import type { Response } from 'express'
import type { KindName } from '../resources/kinds.ts'
import type { KubeObject } from '../resources/object.ts'
import type { ResourceChange, ResourceStore } from '../resources/resource-store.ts'
import type { Representation } from './representation.ts'
import { failure, StatusError } from './status.ts'

/** What a watch is about. */
export interface WatchOptions {
  readonly store: ResourceStore
  readonly kind: KindName
  readonly isMeant: (object: KubeObject) => boolean
  readonly representation: Representation
  /** From which resource version on; absent or 0 begins with all objects there are. */
  readonly since: number | undefined
  readonly timeoutMs: number
  /** Watches end when the platform stops. */
  readonly shutdown: AbortSignal
}

/** A watcher that reads slower than this much is waiting for it is dropped. */
const MAX_QUEUED_BYTES = 1_048_576

/** Streams changes, one JSON object a line, until the client leaves, the time is over or the platform stops. */
export function streamChanges(res: Response, options: WatchOptions): void {
  const { store, kind, isMeant, representation, since, shutdown } = options
  const missed = since ? store.since(since) : undefined
  res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
  res.flushHeaders()
  if (since && missed === undefined) {
    const expired = new StatusError('Expired', `too old resource version: ${since} (${store.version})`)
    res.end(`${JSON.stringify({ type: 'ERROR', object: failure(expired) })}\n`)
    return
  }

  let isFirst = true
  const send = (type: string, object: KubeObject) => {
    if (!isMeant(object)) return
    res.write(`${JSON.stringify({ type, object: representation.watched(object, { isFirst }) })}\n`)
    isFirst = false
    if (res.writableLength > MAX_QUEUED_BYTES) res.destroy()
  }
  const sendChange = (change: ResourceChange) => {
    if (change.kind === kind) send(change.type, change.object)
  }
  for (const change of missed ?? []) sendChange(change)
  if (missed === undefined) for (const object of store.list(kind)) send('ADDED', object)

  const unsubscribe = store.subscribe(sendChange)
  const end = () => res.end()
  const timer = setTimeout(end, options.timeoutMs)
  shutdown.addEventListener('abort', end)
  res.once('close', () => {
    unsubscribe()
    clearTimeout(timer)
    shutdown.removeEventListener('abort', end)
  })
  if (shutdown.aborted) end()
}
