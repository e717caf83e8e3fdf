import { type Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type ClientSpan, clientSpan } from '@taproom/core/spans'
import { answerFault, passBack } from './answer.ts'
import { ProxyError } from './errors.ts'
import { isReset } from './patient-socket.ts'
import type { RequestBody } from './request-body.ts'
import { pathOf } from './serve-paths.ts'

export interface Exchange {
  readonly agent: Agent
  readonly host: string
  readonly port: number
  readonly path: string
  /** Header lines, framing included. */
  readonly headers: readonly string[]
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  readonly body: RequestBody
  readonly signal: AbortSignal | undefined
}

/** Why a try failed, and whether another one may follow. */
export interface FailedTry {
  readonly error: unknown
  /** Nothing listened there: no byte of the request was sent. */
  readonly isUnreachable: boolean
  /**
   * No byte of an answer came, and the service has most probably not seen the request: it had closed a kept connection, or reset one, which
   * means that it had not read everything.
   */
  readonly isUnseen: boolean
}

/** Sends a request and passes the answer back. Resolves when that is over, with the failure if nothing was passed back. Never rejects. */
export function exchange(options: Exchange): Promise<FailedTry | undefined> {
  const { incoming, response, body, signal } = options
  const { method = 'GET' } = incoming
  const span = hopSpan(method, options)
  return new Promise((resolve) => {
    let answer: IncomingMessage | undefined
    let isOver = false
    let bytesBefore = 0
    const outgoing = request({
      agent: options.agent,
      host: options.host,
      port: options.port,
      method,
      path: options.path,
      headers: withTrace(options.headers, span?.headers),
      setHost: false,
      ...(signal && { signal }),
    })
    // No limit here, because headers that Node leaves out could not be counted.
    outgoing.maxHeadersCount = 0

    const fail = (error: unknown) => {
      // The error of a try comes before its close: by then the next try may be sending the body.
      if (answer !== undefined || isOver) return
      isOver = true
      response.off('close', onClosed)
      body.stop()
      span?.end(error)
      resolve(failedTry(outgoing, error, bytesBefore))
    }
    const onClosed = () => {
      // A service that answered before it had the whole request gets no further request over this connection.
      if (!outgoing.writableFinished || !answer?.complete) {
        body.drop()
        outgoing.destroy()
      }
      span?.end(answer === undefined ? 'client_left' : undefined)
      resolve(undefined)
    }
    response.once('close', onClosed)
    outgoing.once('socket', (socket) => {
      bytesBefore = socket.bytesRead
      // The body is not read before there is a connection: without one the request can still go elsewhere.
      if (socket.connecting) socket.once('connect', () => body.sendTo(outgoing))
      else body.sendTo(outgoing)
    })
    outgoing.once('response', (incomingAnswer) => {
      const fault = answerFault(incomingAnswer)
      if (fault !== undefined) {
        fail(new ProxyError('PROXY_UPSTREAM_INVALID', `the service's answer can't be passed on: ${fault}`))
        outgoing.destroy()
        return
      }
      try {
        passBack(incomingAnswer, response)
      } catch (cause) {
        fail(new ProxyError('PROXY_UPSTREAM_INVALID', "the service's answer can't be passed on", { cause }))
        outgoing.destroy()
        return
      }
      answer = incomingAnswer
      span?.answered(incomingAnswer.statusCode ?? 0)
      body.forget()
    })
    outgoing.on('error', fail)
    // Also after an answer that cannot be passed on, such as 101.
    outgoing.once('close', () => fail(brokeOff()))
  })
}

/** Each try is one; the target's query is left out. */
function hopSpan(method: string, { host, port, path }: Exchange): ClientSpan | undefined {
  const url = () => URL.parse(pathOf(path), `http://${host}:${port}`) ?? new URL(`http://${host}:${port}`)
  return clientSpan('@taproom/http', { method, url })
}

/** The lines with the trace of this hop in place of the client's. */
function withTrace(lines: readonly string[], trace: Readonly<Record<string, string>> = {}): readonly string[] {
  const names = new Set([...Object.keys(trace), 'tracestate'])
  if (trace['traceparent'] === undefined) return lines
  const others = lines.filter((_, index) => !names.has(lines[index - (index % 2)]?.toLowerCase() ?? ''))
  return [...others, ...Object.entries(trace).flat()]
}

function failedTry(outgoing: ClientRequest, error: unknown, bytesBefore: number): FailedTry {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const noRetry = { isUnreachable: false, isUnseen: false }
  if (error instanceof ProxyError || code === 'ABORT_ERR') return { error, ...noRetry }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'connect') {
    const options = { cause: error }
    const unreachable = new ProxyError('PROXY_UPSTREAM_UNREACHABLE', "the service's address can't be reached", options)
    // Other errors, such as too many open files in this process, say nothing about the service.
    return { error: unreachable, isUnreachable: code === 'ECONNREFUSED' || code === 'ECONNRESET', isUnseen: false }
  }
  const { socket, reusedSocket } = outgoing
  const isBroken = code === 'ECONNRESET' || code === 'EPIPE'
  const isUnseen = isBroken && socket?.bytesRead === bytesBefore && (reusedSocket || isReset(error, socket))
  return { error: brokeOff(error), isUnreachable: false, isUnseen }
}

function brokeOff(cause?: unknown): ProxyError {
  return new ProxyError('PROXY_UPSTREAM_BROKE_OFF', 'the service broke off before it answered', { cause })
}
