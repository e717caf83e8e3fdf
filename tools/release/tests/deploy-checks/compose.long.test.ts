import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { System } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { READERS } from './compose-readers.ts'
import { SYSTEMS, written } from './other-systems.ts'

async function changed(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  expect(text).toContain(from)
  await writeFile(file, text.replace(from, to))
}

describe.each(READERS)('decisions 3.107: $name reads $file', { tags: 'docker' }, ({ file, look, from, to }) => {
  it.each(Object.entries(SYSTEMS))('of the system %s', { skip: look === undefined }, async (_name, system) => {
    await using folder = await written(system)
    expect(await look?.(folder.root)).toBe('')
  })

  it('and says what is wrong with it', { skip: look === undefined }, async () => {
    await using folder = await written(SYSTEMS['smallest'] as System)
    await changed(join(folder.root, 'deploy', file), from, to)
    expect(await look?.(folder.root)).toContain('nonsense')
  })
})
