import type { IncomingMessage } from '@taproom/messaging'
import { describe, expect, it } from 'vitest'
import { createPricing } from './pricing.ts'

const makeMessage = (value: string | null, key: string | null = 'Ale'): IncomingMessage => ({
  topic: 'beer',
  partition: 0,
  offset: '41',
  key: key === null ? null : Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
  headers: {},
  rawHeaders: {},
  timestamp: 0,
})

function makePricing(price = 12.5) {
  const logged: object[] = []
  const pricing = createPricing({
    nextPrice: () => price,
    log: { warn: (fields: object) => logged.push(fields) } as never,
  })
  return { pricing, logged }
}

describe('createPricing', () => {
  it('turns a beer into one priced beer under the same key', () => {
    const { pricing } = makePricing()
    const [priced, ...more] = pricing.price(makeMessage('{"name":"Ale","tagline":"Crisp.","abv":4.5}'))
    expect(String(priced?.key)).toBe('Ale')
    expect(priced?.value).toBe('{"name":"Ale","price":12.50}')
    expect(more).toEqual([])
  })

  it('takes the beer’s name as key when the message has none', () => {
    const [priced] = makePricing().pricing.price(makeMessage('{"name":"Ale"}', null))
    expect(priced?.key).toBe('Ale')
  })

  it.each([
    ['text that is not JSON', 'secret'],
    ['a beer without a name', '{"abv":5}'],
    ['a name of a mebibyte', JSON.stringify({ name: 'x'.repeat(1024 * 1024) })],
    ['arrays inside each other', '['.repeat(1024 * 1024)],
    ['an alcohol content beyond every double', '{"name":"Ale","abv":1e309}'],
    ['an empty message', ''],
    ['a tombstone', null],
  ])('decisions 1.44: skips and counts %s, without quoting it', async (_case, value) => {
    const { pricing, logged } = makePricing()
    expect(pricing.price(makeMessage(value))).toEqual([])
    expect(await pricing.check.check(new AbortController().signal)).toEqual({ status: 'UP', data: { malformed: 1 } })
    expect(logged).toEqual([expect.objectContaining({ topic: 'beer', partition: 0, offset: '41', malformed: 1 })])
    expect(JSON.stringify(logged)).not.toContain('secret')
  })
})
