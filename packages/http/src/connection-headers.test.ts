import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endToEndHeaders } from './connection-headers.ts'

const messageFields = [
  'Content-Length',
  'Host',
  'Authorization',
  'Cookie',
  'Content-Type',
  'ce-id',
  'Traceparent',
  'X-Forwarded-For',
]
const inAnyCase = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((isUpper) => [...name].map((c, at) => (isUpper[at] ? c.toUpperCase() : c.toLowerCase())).join(''))

describe('endToEndHeaders', () => {
  it('never drops a field of the message because Connection names it, however that is spelled, and says so', () => {
    const padding = fc.constantFrom('', ' ', '\t', ' , ', 'close,', 'keep-alive , x-hop,')
    const spelled = fc.constantFrom(...messageFields).chain((name) => fc.tuple(fc.constant(name), inAnyCase(name)))
    fc.assert(
      fc.property(spelled, inAnyCase('connection'), padding, padding, ([name, option], connection, before, after) => {
        const raw = [name, '1', connection, `${before}${option}${after.includes(',') ? '' : after}`, 'X-Hop', '2']
        const { headers, fault } = endToEndHeaders(raw)
        expect(headers.slice(0, 2)).toEqual([name, '1'])
        expect(fault).toContain(name.toLowerCase())
      }),
    )
  })

  it('takes options that are no names for a fault', () => {
    for (const value of ['a b', '"content-length"', 'content-length;q=1', 'content-length\u00a0']) {
      expect(endToEndHeaders(['Connection', value, 'Content-Length', '1']).fault).toBeDefined()
    }
  })
})
