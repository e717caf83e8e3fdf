import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Step, stepsOf } from '../../src/site/guide.ts'

export const GUIDES = join(import.meta.dirname, '../../../../docs/guides')

export interface Guide {
  readonly name: string
  readonly text: string
  readonly steps: readonly Step[]
}

/** All guides, by name. */
export async function readGuides(): Promise<readonly Guide[]> {
  const names = (await Array.fromAsync(glob('*.md', { cwd: GUIDES }))).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(GUIDES, name), 'utf8')
      return { name, text, steps: stepsOf(text) }
    }),
  )
}
