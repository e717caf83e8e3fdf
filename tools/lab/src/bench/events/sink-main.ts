/**
 * A sink on express as the kernel makes it. Its first argument chooses what it does with an event: `taproom` receives it strictly, `drain`
 * only reads its bytes, `sdk` parses it with the cloudevents SDK; its second is where it listens. Asked over IPC for a number of events, it
 * answers when it has had them.
 */

import { receiveEvents } from '@taproom/events'
import { createHttpApp, createLogger, listen } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'
import { HTTP } from 'cloudevents'
import { type RequestHandler, Router } from 'express'
import { writeReady } from '../../harness/server-process.ts'

let received = 0
let expected = Number.POSITIVE_INFINITY
/** How long each event since the last question took; the ids of such events are the times at which they were posted. */
let milliseconds: number[] | undefined

const now = () => performance.timeOrigin + performance.now()

function count(event?: CloudEventV1<Buffer>): void {
  received += 1
  if (event !== undefined) milliseconds?.push(now() - Number(event.id))
  if (received >= expected) tellExpected()
}

function tellExpected(): void {
  expected = Number.POSITIVE_INFINITY
  process.send?.({ at: now(), milliseconds })
  milliseconds = undefined
}

/** Reads the body as the strict receiver does, in chunks. */
function drained(take: (headers: Record<string, string>, body: Buffer) => void): Router {
  return Router().post('/', (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      take(req.headers as Record<string, string>, Buffer.concat(chunks))
      res.end()
    })
  })
}

const KINDS: Readonly<Record<string, () => RequestHandler>> = {
  taproom: () => receiveEvents(count),
  drain: () => drained(() => count()),
  sdk: () =>
    drained((headers, body) => {
      HTTP.toEvent({ headers, body: body.toString() })
      count()
    }),
}

const [, , kind = '', host = '127.0.0.1'] = process.argv
const routes = KINDS[kind]?.()
if (routes === undefined) throw new Error(`a sink is one of ${Object.keys(KINDS).join(', ')}`)
const log = createLogger('sink', { level: 'info' })
const { port } = await listen(createHttpApp({ log, routes: [routes] }), { host, port: 0 })
writeReady(port)
process.on('message', ({ expect, isTimed }: { expect: number; isTimed: boolean }) => {
  expected = expect
  milliseconds = isTimed ? [] : undefined
  if (received >= expected) tellExpected()
})
