import { describe, expect, it } from 'vitest'
import { READERS } from './compose-readers.ts'
import { SYSTEMS, written } from './other-systems.ts'

describe.each(READERS)('decisions 3.107: $name reads $file', { tags: 'docker' }, ({ look }) => {
  it.each(Object.entries(SYSTEMS))('of the system %s', { skip: look === undefined }, async (_name, system) => {
    await using folder = await written(system)
    expect(await look?.(folder.root)).toBe('')
  })
})
