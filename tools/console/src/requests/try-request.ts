import type { IncomingMessage, ServerResponse } from 'node:http'
import { reasonOf } from '@taproom/core/lines'
import type { TriedEvent, TriedRequest } from '../api/requests.ts'
import { sendLive } from '../http/live.ts'
import type { Asked } from '../http/route.ts'
import type { TraceStore } from '../traces/trace-store.ts'
import { curlLine } from './curl-line.ts'
import { beginTrace, callGateway, type GatewayRequest } from './gateway-call.ts'
import { noteCall } from './own-span.ts'
import type { MakeToken } from './tokens.ts'

export interface TryDeps {
  /** The gateway's address: nothing else is asked. */
  readonly gateway: string
  readonly makeToken: MakeToken
  readonly traces: TraceStore
}

/** Bytes of one answer; a longer one is cut off. */
const MAX_BYTES = 32 * 1024 * 1024

/** Makes a request and streams its answer; it ends when the caller is gone. */
export async function tryRequest(asked: Asked, tried: TriedRequest, deps: TryDeps): Promise<void> {
  const { gateway, traces } = deps
  const wanted = await requestOf(tried, deps.makeToken)
  const trace = beginTrace()
  const started = performance.now()
  const call = noteCall(traces, { ...trace, name: `${wanted.method} ${pathOf(wanted.path)}`, method: wanted.method })
  const headers = { ...wanted.headers, traceparent: trace.traceparent }
  try {
    const answer = await callGateway(gateway, { ...wanted, headers }, asked.signal)
    call.answered(answer.status)
    const isStreaming = answer.headers.some(
      ([name, value]) => /^content-type$/i.test(name) && /event-stream/i.test(value),
    )
    const live = sendLive(asked)
    const send = (event: TriedEvent) => live.send(event, { event: event.event })
    send({
      event: 'head',
      status: answer.status,
      headers: answer.headers,
      traceId: trace.traceId,
      curl: curlLine(gateway + wanted.path, wanted, isStreaming),
      tookMs: performance.now() - started,
    })
    const end = await passOn(asked, answer.body, (text) => send({ event: 'chunk', text }))
    send({ event: 'end', tookMs: performance.now() - started, ...end })
    live.end()
    call.end(end.error)
  } catch (error) {
    call.end(reasonOf(error))
    throw error
  }
}

async function requestOf(tried: TriedRequest, makeToken: MakeToken): Promise<GatewayRequest> {
  const { method, path, headers, body, token } = tried
  const authorization = token && { Authorization: `Bearer ${await makeToken(token)}` }
  return {
    method,
    path,
    headers: { ...headers, ...authorization },
    body: body === undefined ? undefined : Buffer.from(body),
  }
}

/** Passes the body on as fast as the caller reads. */
async function passOn(
  { response }: Asked,
  body: IncomingMessage,
  onText: (text: string) => void,
): Promise<{ readonly bytes: number; readonly error?: string }> {
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return { bytes, error: `cut off after ${MAX_BYTES} bytes` }
      const text = decoder.decode(chunk, { stream: true })
      if (text !== '') onText(text)
      if (response.writableNeedDrain) await drained(response)
    }
    const rest = decoder.decode()
    if (rest !== '') onText(rest)
    return { bytes }
  } catch (error) {
    return { bytes, error: reasonOf(error) }
  } finally {
    body.destroy()
  }
}

/** Without a query, which may hold a secret. */
function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? path
}

/** Resolves when the response can take more, or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.off('drain', end)
      response.off('close', end)
      resolve()
    }
    response.on('drain', end)
    response.on('close', end)
  })
}
