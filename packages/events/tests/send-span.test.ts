import { tracing } from '@taproom/core/spans'
import { recordSpans, startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

it.each([
  ['sampled', '01', [{ name: 'POST', attributes: { 'http.response.status_code': 204 } }]],
  ['not sampled', '00', []],
])('an event is sent in the trace that is active, %s', async (_which, flags, ended) => {
  await using spans = await recordSpans()
  const received: (string | undefined)[] = []
  await using server = await startHttpServer((req, res) => {
    received.push(req.headersDistinct['traceparent']?.join())
    res.writeHead(204).end()
  })
  const parent = tracing()?.extract({ traceparent: `00-${TRACE}-b7ad6b7169203331-${flags}` }).context
  const request = { url: server.url, event: makeEvent(), timeoutMs: 60_000, headers: { traceparent: 'of the caller' } }
  const outcome = await tracing()?.during('test', 'server', { kind: 'server', parent }, () => sendEvent(request))
  expect(outcome).toEqual({ delivered: true, status: 204 })
  expect(received).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-(?!b7ad)[0-9a-f]{16}-${flags}$`))])
  expect(spans.ended.filter(({ name }) => name === 'POST')).toMatchObject(ended)
})
