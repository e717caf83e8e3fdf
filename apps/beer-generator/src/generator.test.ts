import { type Beer, type BeerClient, BeerServiceUnreachableError, parseBeer } from '@taproom/beer'
import { type OutgoingMessage, SendRefusedError, type SendResult } from '@taproom/messaging'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startGenerator } from './generator.ts'

const beers: Beer[] = ['Ale', 'Bock', 'Cider'].map((name, i) => ({ name, tagline: `${name}.`, abv: i + 0.5 }))

/** A generator whose beer service and channel the test controls. */
function start(options: { page?: BeerClient['page']; result?: () => SendResult; random?: () => number } = {}) {
  const sent: OutgoingMessage[] = []
  const lines: string[] = []
  const fields: object[] = []
  const traces: object[] = []
  const line = (more: object, message: string) => {
    lines.push(message)
    fields.push(more)
  }
  const generator = startGenerator({
    client: { page: options.page ?? (async () => beers) },
    channel: {
      send: async (message) => {
        sent.push(message)
        return options.result?.() ?? { accepted: true }
      },
    },
    log: { debug: (more: object) => traces.push(more), info: line, warn: line, error: line } as never,
    listSize: 3,
    intervalMs: 1000,
    ...(options.random && { random: options.random }),
  })
  return { generator, sent, lines, fields, traces }
}

const statusOf = ({ generator }: ReturnType<typeof start>) => generator.check.check(new AbortController().signal)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('startGenerator', () => {
  it('publishes the beer that the draw picks, keyed by its name', async () => {
    let draw = 0
    const started = start({ random: () => (draw++ % 3) / 3 })
    await using _generator = started.generator
    await vi.advanceTimersByTimeAsync(3000)
    expect(started.sent.map((message) => message.key)).toEqual(['Ale', 'Bock', 'Cider', 'Ale'])
    expect(parseBeer(String(started.sent[1]?.value))).toEqual(beers[1])
  })

  it('decisions 1.49: is not ready, and publishes nothing, until the beer service has answered', async () => {
    const answer = Promise.withResolvers<Beer[]>()
    const started = start({ page: () => answer.promise })
    await using _generator = started.generator
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await statusOf(started)).toMatchObject({ status: 'DOWN' })
    expect(started.sent).toEqual([])
    answer.resolve(beers)
    await vi.advanceTimersByTimeAsync(0)
    expect(started.sent).toHaveLength(1)
    expect(await statusOf(started)).toEqual({ status: 'UP', data: { beers: 3 } })
  })

  it('says in its check and in one line why there is no list, the stack at debug level', async () => {
    const target = 'GET http://beers.test/beers page 1'
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:9')
    const error = new BeerServiceUnreachableError(target, { cause: new TypeError('fetch failed', { cause }) })
    const started = start({ page: () => Promise.reject(error) })
    await using _generator = started.generator
    await vi.advanceTimersByTimeAsync(0)
    expect(started.lines).toEqual(['beer list not available'])
    const progress = { attempt: 1, retryInMs: 250 }
    const reason = `connection failed: ${target}: ${cause.message}`
    expect(started.fields).toEqual([{ code: 'BEER_SERVICE_UNREACHABLE', reason, ...progress }])
    expect(started.traces).toEqual([{ err: error, ...progress }])
    expect(await statusOf(started)).toEqual({
      status: 'DOWN',
      data: { error: 'connection failed: GET http://beers.test/beers page 1' },
    })
  })

  it('decisions 1.50: goes on while beers are dropped and logs the beginning and the end only', async () => {
    let ticks = 0
    const started = start({ result: () => ({ accepted: ++ticks > 5 }) })
    await using _generator = started.generator
    await vi.advanceTimersByTimeAsync(9000)
    expect(started.sent).toHaveLength(10)
    expect(started.lines).toEqual([
      'beer list loaded',
      'beers are dropped, kafka is not ready',
      'beers are accepted again',
    ])
  })

  it('decisions 3.170: says why Kafka refuses beers', async () => {
    const error = new SendRefusedError('Kafka refused the message', { channel: 'beer', cause: new Error('too large') })
    const started = start({ result: () => ({ accepted: false, error }) })
    await using _generator = started.generator
    await vi.advanceTimersByTimeAsync(3000)
    expect(started.lines).toEqual(['beer list loaded', 'beers are dropped, kafka refuses them'])
    expect(started.fields[1]).toEqual({ reason: 'Kafka refused the message: too large' })
  })

  it('publishes nothing more once it is disposed of', async () => {
    const started = start()
    await vi.advanceTimersByTimeAsync(1000)
    await started.generator[Symbol.asyncDispose]()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(started.sent).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })
})
