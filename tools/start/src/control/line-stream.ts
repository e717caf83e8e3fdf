import type { ServerResponse } from 'node:http'
import type { NumberedLine, RecentLines } from '../output/recent-lines.ts'
import type { ControlDeps } from './control-answers.ts'

/** Bytes that a reader may leave unread; then it is cut off, and can come again with the number of its last line. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024

/**
 * Lines of the log as one JSON object each, `{"id":1,"line":{…}}`: those after the number `after`, the last `last` of them; with `follow` the
 * answer goes on with those that are written.
 */
export function sendLines(
  response: ServerResponse,
  query: URLSearchParams,
  logs: Pick<RecentLines, 'after' | 'follow'>,
): undefined {
  const kept = logs.after(numberOf(query.get('after')) ?? 0)
  const last = numberOf(query.get('last'))
  const write = writerTo(response)
  for (const line of last === undefined ? kept : kept.slice(Math.max(0, kept.length - last))) write(textOf(line))
  if (!query.has('follow')) return void response.end()
  closing(
    response,
    logs.follow((line) => write(textOf(line))),
  )
}

/** The state of each process that changes, as one JSON object a line, until the reader leaves. */
export function followChanges(response: ServerResponse, { onChange }: Pick<ControlDeps, 'onChange'>): undefined {
  const write = writerTo(response)
  response.flushHeaders()
  closing(
    response,
    onChange((status) => write(JSON.stringify(status))),
  )
}

function textOf({ id, json }: NumberedLine): string {
  return `{"id":${id},"line":${json}}`
}

function writerTo(response: ServerResponse): (line: string) => void {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
  response.on('error', () => response.destroy())
  return (line) => {
    if (response.destroyed) return
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(`${line}\n`)
  }
}

function closing(response: ServerResponse, following: Disposable): void {
  response.once('close', () => following[Symbol.dispose]())
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
