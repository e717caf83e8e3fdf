import { describe, expect, it } from 'vitest'
import { RandomIds } from './random-ids.ts'

describe('RandomIds', () => {
  it('gives ids after W3C Trace Context, never the same again', () => {
    const ids = new RandomIds()
    const seen = new Set<string>()
    for (let count = 0; count < 2000; count += 1) {
      const [traceId, spanId] = [ids.traceId(), ids.spanId()]
      expect(traceId).toMatch(/^(?!0+$)[\da-f]{32}$/)
      expect(spanId).toMatch(/^(?!0+$)[\da-f]{16}$/)
      seen.add(traceId).add(spanId)
    }
    expect(seen.size).toBe(4000)
  })
})
