import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { writtenFiles } from '../src/index.ts'
import { system } from './taproom.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const files = await writtenFiles(system, ROOT)

describe('what is written from system.ts', () => {
  it.each(files)('$path is as it says, else: pnpm generate', async ({ path, text }) => {
    const present = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
    expect(present?.split('\n')).toEqual(text?.split('\n'))
  })
})
