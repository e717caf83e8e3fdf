import type { ServerResponse } from 'node:http'
import { type RequestHandler, sendProblem, servePaths } from '@taproom/http'
import type { CloudEventV1 } from 'cloudevents'
import { EventError } from './errors.ts'
import { type ReadEventOptions, takeEvent } from './read-event.ts'
import { toMessage } from './to-message.ts'

export interface ReceiveOptions extends ReadEventOptions {
  /** Called before a 400 or 413, for logs and counters. What it throws goes to the app's error handler instead. */
  readonly onRefused?: (error: EventError) => void
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
type Reply = CloudEventV1<unknown> | void

/** Takes an event; what it returns goes back to the sender as the reply. */
export type EventHandler = (event: CloudEventV1<Buffer>) => Reply | Promise<Reply>

/**
 * A handler that makes an app of express a CloudEvents subscriber at `POST /`. Mount it before any body parser. It needs nothing of
 * express, so that a subscriber which starts from zero need not load it.
 *
 * The sender gets 200, empty or with the reply event in binary mode, once the handler is done; 400 as problem+json with `code` and
 * `attribute` for an invalid event; 413 beyond the limit; 405 for other methods. What the handler throws goes to the app's error handler:
 * 500 by default, so a sender tries again.
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
  /** Called with an error, always an object, before anything was answered. */
  readonly fail: (error: unknown) => void
}

/** Without a promise when the handler returns none. */
function handle(handler: EventHandler, { event, res, fail }: Answer & { readonly event: CloudEventV1<Buffer> }): void {
  const answer = (reply: CloudEventV1<unknown> | undefined) => {
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

/** Any thenable: some databases return their own. */
function isPromise(reply: ReturnType<EventHandler>): reply is Extract<typeof reply, Promise<unknown>> {
  return typeof (reply as Partial<PromiseLike<unknown>> | undefined)?.then === 'function'
}

/** Wraps thrown primitives: express ignores falsy errors and takes the string `route` or `router` for a command. */
function failureOf(thrown: unknown): object {
  return typeof thrown === 'object' && thrown !== null
    ? thrown
    : new TypeError('the handler of events threw something that is no error', { cause: thrown })
}

function sendReply(res: ServerResponse, reply: CloudEventV1<unknown>): void {
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
