import { pause } from '@taproom/core/time'
import type { Control } from '../services/control.ts'
import type { LogStore } from './log-store.ts'

const AGAIN_MS = 500

/** Fills the store with what the services have written, and write, until the signal aborts. Never rejects. */
export async function followLogs(
  control: Pick<Control, 'follow'>,
  store: LogStore,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const onLine = (line: string) => take(line, store)
    await control.follow(`/logs?follow&after=${store.lastId}`, onLine, signal).catch(() => undefined)
    if (!signal.aborted) await pause(AGAIN_MS)
  }
}

/** `{"id":1,"line":{…}}` */
function take(line: string, store: LogStore): void {
  const [, id, json] = /^\{"id":(\d+),"line":(.*)\}$/s.exec(line) ?? []
  if (id !== undefined && json !== undefined) store.add(Number(id), json)
}
