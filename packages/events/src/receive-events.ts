import type { ServerResponse } from 'node:http'
import { type RequestHandler, sendProblem, servePaths } from '@taproom/http'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { type ReadEventOptions, takeEvent } from './read-event.ts'
import { toMessage } from './to-message.ts'

/** Options of {@link receiveEvents}. */
export interface ReceiveOptions extends ReadEventOptions {
  /** Called before a request is answered 400 or 413, for logs and counters. What it throws is answered instead, as a handler's error. */
  readonly onRefused?: (error: EventError) => void
}

/** Takes an event; what it returns goes back to the sender as the reply. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
export type EventHandler = (event: CloudEvent) => CloudEvent | void | Promise<CloudEvent | void>

/**
 * A handler that makes an app of express a CloudEvents subscriber at `POST /`. Mount it before any body parser. It needs nothing of express, so
 * that a subscriber which starts from zero need not load it.
 *
 * The sender gets 200 with an empty body, or with the reply event in binary mode, once the handler is done; 400 as
 * problem+json with `code` and `attribute` for what is no CloudEvent; 413 beyond the limit; 405 for other methods. What
 * the handler throws goes to the app's error handler: 500 unless it says otherwise, so a sender tries again.
 *
 * @example
 * app.use(receiveEvents((event) => console.log(event.type)))
 */
export function receiveEvents(handler: EventHandler, options: ReceiveOptions = {}): RequestHandler {
  return servePaths('POST', {
    '/': (req, res, fail) =>
      takeEvent(req, {
        options,
        onEvent: (event) => handle(handler, { event, res, fail }),
        onError(error) {
          if (error instanceof EventError) refuse(error, { options, res, fail })
          else if (!req.socket.destroyed) fail(error)
        },
      }),
  })
}

interface Answer {
  readonly res: ServerResponse
  /** Takes what is thrown, always an object, before anything was answered. */
  readonly fail: (error: unknown) => void
}

/** A handler that is done at once is answered at once. */
function handle(handler: EventHandler, { event, res, fail }: Answer & { readonly event: CloudEvent }): void {
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

function refuse(error: EventError, { options, res, fail }: Answer & { readonly options: ReceiveOptions }): void {
  try {
    options.onRefused?.(error)
  } catch (thrown) {
    fail(failureOf(thrown))
    return
  }
  if (!res.req.complete) res.setHeader('Connection', 'close')
  const { status, message, code, attribute } = error
  sendProblem(res, { status, detail: message, members: { code, attribute } })
}
