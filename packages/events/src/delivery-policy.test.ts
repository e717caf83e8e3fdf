import { describe, expect, it } from 'vitest'
import { retryWaitMs } from './delivery-policy.ts'
import { parseDuration } from './duration.ts'
import { DEFAULT_DELIVERY_POLICY, type DeliverySpec, DeliverySpecError, parseDeliverySpec } from './index.ts'
import { parseRetryAfter } from './retry-after.ts'

describe('parseDeliverySpec', () => {
  it('decisions 1.55: without a spec, 10 retries, exponential from 0.2 s, 204.6 s in all', () => {
    const policy = parseDeliverySpec(undefined)
    const waits = Array.from({ length: policy.retry }, (_, n) => retryWaitMs(policy, n))
    expect(waits.slice(0, 4)).toEqual([200, 400, 800, 1600])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(204_600)
  })

  it('decisions 1.55: reads per-trigger settings', () => {
    expect(
      parseDeliverySpec({
        retry: 3,
        backoffPolicy: 'linear',
        backoffDelay: 'PT1S',
        timeout: 'PT5S',
        retryAfterMax: 'PT0S',
        format: 'json',
      }),
    ).toEqual({
      retry: 3,
      backoffPolicy: 'linear',
      backoffDelayMs: 1000,
      timeoutMs: 5000,
      retryAfterMaxMs: 0,
      format: 'json',
    })
  })

  it('a spec without retry retries nothing', () => {
    expect(parseDeliverySpec({})).toEqual({ ...DEFAULT_DELIVERY_POLICY, retry: 0 })
  })

  it.each([
    ['retry', -1],
    ['retry', 1.5],
    ['retry', '3'],
    ['backoffPolicy', 'quadratic'],
    ['backoffPolicy', ''],
    ['backoffDelay', '1s'],
    ['backoffDelay', 'PT'],
    ['backoffDelay', '-PT1S'],
    ['backoffDelay', 5],
    ['timeout', 'PT0S'],
    ['timeout', 'P'],
    ['retryAfterMax', 'never'],
    ['format', 'xml'],
  ])('decisions 3.13: an invalid %s (%j) is refused by name', (field, value) => {
    const spec = { [field]: value } as unknown as DeliverySpec
    expect(() => parseDeliverySpec(spec)).toThrow(DeliverySpecError)
    expect(() => parseDeliverySpec(spec)).toThrow(expect.objectContaining({ field, code: 'DELIVERY_SPEC_INVALID' }))
  })

  it.each([null, 'x', []])('takes no %j for a spec with fields', (spec) => {
    const parse = () => parseDeliverySpec(spec as unknown as DeliverySpec)
    if (spec === null) expect(parse()).toBe(DEFAULT_DELIVERY_POLICY)
    else expect(parse).toThrow(DeliverySpecError)
  })
})

describe('retryWaitMs', () => {
  const policy = { ...DEFAULT_DELIVERY_POLICY, backoffDelayMs: 100 }

  it('grows linearly from 0', () => {
    expect([0, 1, 2].map((n) => retryWaitMs({ ...policy, backoffPolicy: 'linear' }, n))).toEqual([0, 100, 200])
  })

  it('takes the longer of back-off and Retry-After, up to the bound', () => {
    expect(retryWaitMs(policy, 0, 5000)).toBe(5000)
    expect(retryWaitMs(policy, 6, 5000)).toBe(6400)
    expect(retryWaitMs({ ...policy, retryAfterMaxMs: 2000 }, 0, 5000)).toBe(2000)
    expect(retryWaitMs({ ...policy, retryAfterMaxMs: 0 }, 0, 5000)).toBe(100)
  })

  it('stays within what a timer can hold', () => {
    expect(retryWaitMs(policy, 2000)).toBe(2 ** 31 - 1)
  })
})

describe('parseDuration', () => {
  it.each([
    ['PT0.2S', 200],
    ['PT0,2S', 200],
    ['PT0S', 0],
    ['PT1M30S', 90_000],
    ['P1DT2H', 93_600_000],
    ['P2W', 1_209_600_000],
    ['PT1.5H', 5_400_000],
    ['P1M', 2_629_746_000],
    ['P1Y', 31_556_952_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1S',
    'PT1',
    'P1S',
    'PT1.5H2M',
    'PT.S',
    'PT1..5S',
    'pt1s',
    'PT1S ',
    '+PT1S',
    '-PT1S',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2020-01-01T00:00:00Z')

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Wed, 01 Jan 2020 00:00:30 GMT', 30_000],
    ['Wednesday, 01-Jan-20 00:00:30 GMT', 30_000],
    ['Wed Jan  1 00:00:30 2020', 30_000],
    ['Wed, 01 Jan 2020 00:00:30 GMT and more', undefined],
    ['Tue, 31 Dec 2019 00:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('%j asks for %j ms', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms)
  })
})
