import { describe, expect, it } from 'vitest'
import { nextHop } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const NEW_SPAN = 'cd'.repeat(8)
const NEW_TRACE = `00-${'cd'.repeat(16)}-${NEW_SPAN}-00`
const ids = { traceId: () => 'cd'.repeat(16), spanId: () => NEW_SPAN }

describe('nextHop', () => {
  it.each([
    ['a sampled trace', `00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${NEW_SPAN}-01`],
    ['a trace that is not sampled', `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${NEW_SPAN}-00`],
    ['flags that nobody knows yet', `00-${TRACE}-${PARENT}-ff`, `00-${TRACE}-${NEW_SPAN}-01`],
    ['a later version', `cc-${TRACE}-${PARENT}-01-what-the-future-holds`, `00-${TRACE}-${NEW_SPAN}-01`],
  ])('decisions 3.17: goes on with %s under a new span', (_case, traceparent, expected) => {
    expect(nextHop({ traceparent, tracestate: 'rojo=00f067aa', 'x-request-id': '1' }, ids)).toEqual({
      traceparent: expected,
      tracestate: 'rojo=00f067aa',
      'x-request-id': '1',
    })
  })

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['more than version 00 has', `00-${TRACE}-${PARENT}-01-more`],
    ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['two of them', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ])('begins a new trace for %s, without the state of another one', (_case, traceparent) => {
    const headers = { ...(traceparent !== undefined && { traceparent }), tracestate: 'rojo=1', 'x-request-id': '1' }
    expect(nextHop(headers, ids)).toEqual({ traceparent: NEW_TRACE, 'x-request-id': '1' })
  })

  it('gives each hop a span of its own', () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` }
    const [one, two] = [nextHop(headers), nextHop(headers)]
    expect(one['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
    expect(one['traceparent']).not.toBe(two['traceparent'])
  })
})
