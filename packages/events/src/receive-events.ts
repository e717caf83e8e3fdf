import { Router } from 'express'
import { type EventHandler, eventListener, type ReceiveOptions, sendProblem } from './event-listener.ts'

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
    .post(eventListener(handler, options))
    .all((req, res) => {
      res.setHeader('Allow', 'POST')
      sendProblem(res, 405, 'Method Not Allowed', `${req.method} is not allowed here; allowed: POST`)
    })
  return router
}
