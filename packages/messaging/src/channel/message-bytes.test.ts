import { describe, expect, it } from 'vitest'
import { BATCH_BYTES, batchesOf, messageBytes } from './message-bytes.ts'

describe('messageBytes', () => {
  it('counts key, value, and the names and values of headers', () => {
    const empty = messageBytes({ value: null })
    expect(messageBytes({ key: 'é', value: Buffer.alloc(10) })).toBe(empty + 12)
    expect(messageBytes({ value: null, headers: { name: 'value' } })).toBe(empty + 16 + 9)
  })
})

describe('batchesOf', () => {
  it('keeps the order, fills runs up to the bound, and leaves a larger message alone', () => {
    const half = BATCH_BYTES / 2 - 100
    const sizes = [half, half, 1, BATCH_BYTES * 2, 1]
    const messages = sizes.map((size) => ({ value: Buffer.alloc(size) }))
    const batches = [...batchesOf(messages)]
    expect(batches.map((batch) => batch.map(({ value }) => (value as Buffer).length))).toEqual([
      [half, half],
      [1],
      [BATCH_BYTES * 2],
      [1],
    ])
    expect([...batchesOf([])]).toEqual([])
  })
})
