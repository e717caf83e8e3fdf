/**
 * A sink on express as the kernel makes it. Its first argument chooses what it does with an event: `taproom` receives it strictly, `drain`
 * only reads its bytes, `sdk` parses it with the cloudevents SDK. Asked over IPC for a number of events, it answers when it has had them.
 */
import { receiveEvents } from '@taproom/events'
import { createHttpApp, createLogger, listen } from '@taproom/service'
import { HTTP } from 'cloudevents'
import { type RequestHandler, Router } from 'express'
import { writeReady } from '../server-process.ts'

let received = 0
let expected = Number.POSITIVE_INFINITY

function count(): void {
  received += 1
  if (received >= expected) tellExpected()
}

function tellExpected(): void {
  expected = Number.POSITIVE_INFINITY
  process.send?.({ at: performance.timeOrigin + performance.now() })
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
  drain: () => drained(count),
  sdk: () =>
    drained((headers, body) => {
      HTTP.toEvent({ headers, body: body.toString() })
      count()
    }),
}

const routes = KINDS[process.argv[2] ?? '']?.()
if (routes === undefined) throw new Error(`a sink is one of ${Object.keys(KINDS).join(', ')}`)
const log = createLogger('sink', { level: 'info' })
const { port } = await listen(createHttpApp({ log, routes: [routes] }), { host: '127.0.0.1', port: 0 })
writeReady(port)
process.on('message', ({ expect }: { expect: number }) => {
  expected = expect
  if (received >= expected) tellExpected()
})
