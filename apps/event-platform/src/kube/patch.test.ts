import { describe, expect, it } from 'vitest'
import { jsonPatch } from './patch.ts'

describe('a JSON patch', () => {
  const additions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ op: 'add', path: `/metadata/labels/l${i}`, value: 'x' }))
  const target = { metadata: { name: 'n', labels: {} } }

  it('has up to 1000 operations, each of which may copy what those before have made', () => {
    const { metadata } = jsonPatch(target, additions(1000)) as typeof target
    expect(Object.keys(metadata.labels)).toHaveLength(1000)
    expect(() => jsonPatch(target, additions(1001))).toThrow(
      expect.objectContaining({ reason: 'RequestEntityTooLarge', status: 413 }),
    )
  })
})
