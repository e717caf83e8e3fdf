import { reasonOf } from '@taproom/core/lines'
import { readBody } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { SentEvent } from '../api/eventing.ts'
import { curlLine } from '../requests/curl-line.ts'
import { beginTrace, callGateway } from '../requests/gateway-call.ts'
import { noteCall } from '../requests/own-span.ts'
import type { TraceStore } from '../traces/trace-store.ts'

/** Where events are sent, and where what comes of it is noted. */
export interface SendDeps {
  /** The gateway's address. */
  readonly gateway: string
  readonly traces: TraceStore
}

export interface EventMessage {
  /** `namespace/name`. */
  readonly broker: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

const TIME_MS = 20_000
/** A broker answers with nothing, or with a problem. */
const MAX_ANSWER_BYTES = 65_536

/** Sends an event to a broker, in a trace of its own. @throws {HttpProblem} 503 when the gateway does not answer */
export async function sendToBroker(deps: SendDeps, message: EventMessage, signal: AbortSignal): Promise<SentEvent> {
  const { gateway, traces } = deps
  const path = `/brokers/${message.broker}`
  const trace = beginTrace()
  const call = noteCall(traces, { ...trace, name: `POST ${path}`, method: 'POST' })
  const started = performance.now()
  try {
    const wanted = { method: 'POST', path, headers: message.headers, body: message.body }
    const headers = { ...message.headers, traceparent: trace.traceparent }
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)])
    const answer = await callGateway(gateway, { ...wanted, headers }, limited)
    call.answered(answer.status)
    const body = await readBody(answer.body, MAX_ANSWER_BYTES)
    call.end()
    return {
      traceId: trace.traceId,
      request: {
        method: 'POST',
        url: gateway + path,
        headers: answer.sentHeaders,
        body: (message.body ?? '').toString(),
      },
      curl: curlLine(gateway + path, wanted),
      answer: {
        status: answer.status,
        headers: answer.headers,
        body: body?.toString() ?? '',
        tookMs: performance.now() - started,
      },
    }
  } catch (error) {
    call.end(reasonOf(error))
    if (error instanceof HttpProblem) throw error
    throw new HttpProblem(503, { detail: `the broker's response ended early: ${reasonOf(error)}`, cause: error })
  }
}
