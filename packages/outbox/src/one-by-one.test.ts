import { describe, expect, it } from 'vitest'
import type { Outcome, StoredMessage } from './destination.ts'
import { type Deliver, oneByOne } from './one-by-one.ts'

const message = (text: string): StoredMessage => ({
  key: text.startsWith('-') ? null : text.slice(0, 1),
  value: Buffer.from(text),
  headers: {},
  timestamp: 0,
})
const textOf = ({ value }: StoredMessage) => String(value)

async function write(deliver: Deliver, texts: readonly string[], options = {}, signal = new AbortController().signal) {
  await using session = await oneByOne(deliver, options).open({ outboxId: 'shop' })
  const outcomes = await session.write({ number: 1, messages: texts.map(message) }, signal)
  return outcomes.map(({ state }) => state)
}
const delivered: Outcome = { state: 'delivered' }

describe('oneByOne', () => {
  it('delivers messages of a key one after another, and those of others at the same time', async () => {
    const begun: string[] = []
    const held = Promise.withResolvers<void>()
    const states = write(
      async (given) => {
        begun.push(textOf(given))
        if (begun.length === 4) held.resolve()
        await held.promise
        return delivered
      },
      ['a1', 'b1', 'a2', '-1', '-2'],
    )
    await held.promise
    expect(begun).toEqual(['a1', 'b1', '-1', '-2'])
    expect(await states).toEqual(Array(5).fill('delivered'))
    expect(begun.at(-1)).toBe('a2')
  })

  it('holds up the later messages of a key after a failure, and no others', async () => {
    const states = await write(
      async (given) => {
        if (textOf(given) === 'a1') throw new Error('connection refused')
        return textOf(given) === 'b1' ? { state: 'refused', reason: 'HTTP 400' } : delivered
      },
      ['a1', 'b1', 'a2', 'b2'],
    )
    expect(states).toEqual(['waiting', 'refused', 'waiting', 'delivered'])
  })

  it('begins no delivery once the signal is aborted', async () => {
    const over = new AbortController()
    const deliver = async () => {
      over.abort()
      return delivered
    }
    expect(await write(deliver, ['a1', 'b1', 'a2'], { concurrency: 1 }, over.signal)).toEqual([
      'delivered',
      'waiting',
      'waiting',
    ])
  })

  it.each([0, 1.5])('refuses a concurrency of %s', (concurrency) => {
    expect(() => oneByOne(async () => delivered, { concurrency })).toThrow(RangeError)
  })
})
