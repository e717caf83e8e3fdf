import { expect, it } from 'vitest'
import { transformBatch } from './transform-batch.ts'

const records = (count: number) =>
  Array.from({ length: count }, (_, offset) => ({
    ...{ offset: String(offset), timestamp: '0', attributes: 0, headers: {} },
    ...{ key: null, value: Buffer.from('v') },
  }))

const batchOf = (count: number, transform: () => []) => ({
  ...{ partition: 0, records: records(count) },
  options: {
    ...{ channel: 'c', inputTopic: 'in', failureStrategy: 'ignore' as const, deadLetterTopic: 'dead' },
    ...{ bufferBytes: 1000, commitIntervalMs: 60_000, transform },
  },
  refusal: () => undefined,
  onSetAside: () => undefined,
})

it('leaves the event loop its turns while messages take long', async () => {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const seen: number[] = []
  await transformBatch(
    batchOf(5, () => {
      seen.push(turns)
      // Longer than a turn may take.
      for (const until = performance.now() + 11; performance.now() < until; );
      return []
    }),
  )
  clearImmediate(next)
  expect(new Set(seen).size).toBe(5)
})

it('takes one message at least, however little time there is', async () => {
  const batch = batchOf(3, () => [])
  const done = await transformBatch({ ...batch, options: { ...batch.options, commitIntervalMs: 0, bufferBytes: -1 } })
  expect(done).toMatchObject({ next: 1n, counts: { consumed: 1, skipped: 1 } })
})
