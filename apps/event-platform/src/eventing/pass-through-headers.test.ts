import { describe, expect, it } from 'vitest'
import { passThroughHeaders, tooMuchToCarry } from './pass-through-headers.ts'

describe('passThroughHeaders', () => {
  it('decisions 1.81: lets identity and tracing of a request travel on, nothing else', () => {
    const travelling = {
      'x-request-id': '1',
      'retry-after': '2',
      traceparent: '3',
      tracestate: '4',
      baggage: 'a=1,b=2',
      b3: '5',
      'x-b3-traceid': '6',
      'knative-any': '7',
      'k-eventing-any': '8',
    }
    const others = {
      host: 'h',
      authorization: 'secret',
      cookie: 'c',
      'kn-namespace': 'n',
      'ce-id': '1',
      'knative-': '',
    }
    expect(passThroughHeaders({ ...travelling, ...others })).toEqual(travelling)
  })

  it.each([
    ['a character beyond Latin-1', 'knative-a', '\u0100'],
    ['a line break', 'knative-a', 'a\r\nx-evil: 1'],
    ['a control character', 'baggage', '\u0000'],
    ['DEL', 'baggage', '\u007f'],
    ['a name with a space', 'knative-a b', '1'],
    ['a name with a line break', 'knative-a\r\nx-evil', '1'],
    ['a name beyond ASCII', 'knative-\u00e9', '1'],
  ])('leaves behind what no request can carry: %s', (_case, name, value) => {
    expect(passThroughHeaders({ [name]: value, b3: '0' })).toEqual({ b3: '0' })
  })
})

describe('tooMuchToCarry', () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`knative-${at}`, '']))

  it('counts headers, and bytes with their names', () => {
    expect(tooMuchToCarry(headers(64))).toBeUndefined()
    expect(tooMuchToCarry(headers(65))).toContain('65 of')
    expect(tooMuchToCarry({ baggage: 'x'.repeat(8192 - 11) })).toBeUndefined()
    expect(tooMuchToCarry({ baggage: 'x'.repeat(8192 - 10) })).toContain('1 of 8193')
  })
})
