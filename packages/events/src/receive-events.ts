import { type NextFunction, type Response, Router } from 'express'
import { toBinaryMode } from './binary-mode.ts'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { type ReadEventOptions, takeEvent } from './read-event.ts'

/** Options of {@link receiveEvents}. */
export interface ReceiveOptions extends ReadEventOptions {
  /** Called for a request that is answered 400 or 413, for logs and counters. */
  readonly onRefused?: (error: EventError) => void
}

/** Takes an event; what it returns goes back to the sender as the reply. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
export type EventHandler = (event: CloudEvent) => CloudEvent | void | Promise<CloudEvent | void>

/**
 * An Express router that makes an app a CloudEvents subscriber at `POST /`. Mount it before any body parser.
 *
 * The sender gets 200 with an empty body, or with the reply event in binary mode, once the handler is done; 400 as
 * problem+json with `code` and `attribute` for what is no CloudEvent; 413 beyond the limit; 405 for other methods. What
 * the handler throws goes to the app's error handler: 500 unless it says otherwise, so a sender tries again.
 *
 * @example
 * app.use(receiveEvents((event) => console.log(event.type)))
 */
export function receiveEvents(handler: EventHandler, options: ReceiveOptions = {}): Router {
  const router = Router()
  router
    .route('/')
    .post((req, res, next) => {
      takeEvent(req, {
        bodyLimitBytes: options.bodyLimitBytes,
        onEvent: (event) => handle(handler, { event, res, next }),
        onError: (error) => {
          if (error instanceof EventError) {
            options.onRefused?.(error)
            refuse(res, error)
          } else if (!req.socket.destroyed) next(error)
        },
      })
    })
    .all((req, res) => {
      res.setHeader('Allow', 'POST')
      sendProblem(res, 405, 'Method Not Allowed', `${req.method} is not allowed here; allowed: POST`)
    })
  return router
}

/** A handler that is done at once is answered at once. */
function handle(handler: EventHandler, { event, res, next }: { event: CloudEvent; res: Response; next: NextFunction }) {
  const answer = (reply: CloudEvent | undefined) => {
    if (reply === undefined) res.end()
    else sendReply(res, reply)
  }
  try {
    const reply = handler(event)
    if (reply instanceof Promise) reply.then((later) => answer(later ?? undefined)).catch(next)
    else answer(reply ?? undefined)
  } catch (error) {
    next(error)
  }
}

function sendReply(res: Response, reply: CloudEvent): void {
  const { headers, body } = toBinaryMode(reply)
  res.writeHead(200, { ...headers, 'content-length': body?.length ?? 0 }).end(body)
}

function refuse(res: Response, error: EventError): void {
  if (!res.req.complete) res.setHeader('Connection', 'close')
  const title = error.status === 413 ? 'Payload Too Large' : 'Bad Request'
  sendProblem(res, error.status, title, error.message, { code: error.code, attribute: error.attribute })
}

function sendProblem(
  res: Response,
  status: number,
  title: string,
  detail: string,
  members: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, ...members })
  res
    .writeHead(status, { 'content-type': 'application/problem+json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}
