import { describe, expect, it } from 'vitest'
import { REGISTRY_LIMITS } from '../limits.ts'
import { bytesOf, type SchemaVersion } from './records.ts'
import { RegistryState } from './registry-state.ts'

const MEBIBYTE = 1024 * 1024

function version(number: number, text: string): SchemaVersion {
  const metadata = { properties: { text } }
  const rest = { schemaType: 'AVRO', references: [], schema: '"int"', deleted: false, others: {} }
  return { ...rest, subject: 's', version: number, id: number, metadata }
}

describe('the room of a registry', () => {
  it('is counted in bytes of versions with their metadata', () => {
    const state = new RegistryState()
    // Two bytes each.
    const text = 'é'.repeat(4 * MEBIBYTE)
    const fitting = Math.floor(REGISTRY_LIMITS.storedBytes / bytesOf(version(1, text)))
    expect(fitting).toBeLessThan(32)
    const apply = (number: number, value: SchemaVersion | null) =>
      state.apply({ keytype: 'SCHEMA', subject: 's', version: number, value }, { mayReplace: false })
    for (let number = 1; number <= fitting; number += 1) {
      expect(apply(number, version(number, `${text}${number}`))).toBe('applied')
    }
    const next = version(fitting + 1, `${text}${fitting + 1}`)
    expect(apply(fitting + 1, next)).toBe('full')
    expect(apply(1, null)).toBe('applied')
    expect(apply(fitting + 1, next)).toBe('applied')
  })
})
