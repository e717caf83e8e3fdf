import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeJson } from '@taproom/lines'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { type ReadEventOptions, takeEvent } from './read-event.ts'
import { toMessage } from './to-message.ts'

/** Options of {@link receiveEvents} and {@link eventListener}. */
export interface ReceiveOptions extends ReadEventOptions {
  /** Called before a request is answered 400 or 413, for logs and counters. What it throws is answered instead, as a handler's error. */
  readonly onRefused?: (error: EventError) => void
}

/** Takes an event; what it returns goes back to the sender as the reply. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
export type EventHandler = (event: CloudEvent) => CloudEvent | void | Promise<CloudEvent | void>

/** Answers one request; `fail` gets what the handler throws, always an object, and then nothing was answered yet. */
export type EventListener = (req: IncomingMessage, res: ServerResponse, fail: (error: unknown) => void) => void

/**
 * Answers requests that post an event, as {@link receiveEvents} does, but on bare node:http: it neither looks at method and path nor needs
 * express, which a subscriber that starts from zero loads later.
 */
export function eventListener(handler: EventHandler, options: ReceiveOptions = {}): EventListener {
  return (req, res, fail) => {
    takeEvent(req, {
      options,
      onEvent: (event) => handle(handler, { event, res, fail }),
      onError: (error) => {
        if (!(error instanceof EventError)) {
          if (!req.socket.destroyed) fail(error)
          return
        }
        try {
          options.onRefused?.(error)
        } catch (thrown) {
          fail(failureOf(thrown))
          return
        }
        refuse(res, error)
      },
    })
  }
}

/** Answers with a problem (RFC 9457). */
export function sendProblem(
  res: ServerResponse,
  status: number,
  title: string,
  detail: string,
  members: Readonly<Record<string, string>> = {},
): void {
  const body = safeJson(JSON.stringify({ type: 'about:blank', title, status, detail, ...members }))
  res
    .writeHead(status, { 'content-type': 'application/problem+json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}

interface Answer {
  readonly event: CloudEvent
  readonly res: ServerResponse
  readonly fail: (error: unknown) => void
}

/** A handler that is done at once is answered at once. */
function handle(handler: EventHandler, { event, res, fail }: Answer) {
  const answer = (reply: CloudEvent | undefined) => {
    if (reply === undefined) res.end()
    else sendReply(res, reply)
  }
  try {
    const reply = handler(event)
    if (isPromise(reply)) {
      Promise.resolve(reply)
        .then((later) => answer(later ?? undefined))
        .catch((thrown: unknown) => fail(failureOf(thrown)))
    } else answer(reply ?? undefined)
  } catch (thrown) {
    fail(failureOf(thrown))
  }
}

/** Of any kind: a database's promises, for one, are often its own. */
function isPromise(reply: ReturnType<EventHandler>): reply is Extract<typeof reply, Promise<unknown>> {
  return typeof (reply as Partial<PromiseLike<unknown>> | undefined)?.then === 'function'
}

/** What `fail` gets for anything thrown: express takes what is falsy for no error, and a string for a command to its router. */
function failureOf(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null
    ? thrown
    : new TypeError('the handler of events threw something that is no error', { cause: thrown })
}

function sendReply(res: ServerResponse, reply: CloudEvent): void {
  const { headers, body } = toMessage(reply)
  res.writeHead(200, { ...headers, 'content-length': body?.length ?? 0 }).end(body)
}

function refuse(res: ServerResponse, error: EventError): void {
  if (!res.req.complete) res.setHeader('Connection', 'close')
  const title = error.status === 413 ? 'Payload Too Large' : 'Bad Request'
  sendProblem(res, error.status, title, error.message, { code: error.code, attribute: error.attribute })
}
