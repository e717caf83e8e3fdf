import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { writtenFiles } from '../src/generate/written-files.ts'
import { system } from './taproom.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const files = await writtenFiles(system, ROOT)

describe('what is written from system.ts', () => {
  it.each(files)('$path is as it says, else: pnpm generate', async ({ path, text }) => {
    const present = await readFile(join(ROOT, path), 'utf8').catch(() => undefined)
    expect(present?.split('\n')).toEqual(text?.split('\n'))
  })

  it('removes what it wrote for an app or a sink that is gone, and nothing that people wrote', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-generated-'))
    try {
      for (const path of ['deploy', 'README.md']) await cp(join(ROOT, path), join(folder, path), { recursive: true })
      const written = await readFile(join(ROOT, 'deploy/kubernetes/base/apps/claim-api.yaml'), 'utf8')
      const left = ['deploy/knative/300-gone.yaml', 'deploy/kubernetes/base/apps/gone.yaml']
      for (const path of left) await writeFile(join(folder, path), written)
      await writeFile(join(folder, 'deploy/kubernetes/base/apps/own.yaml'), `# By hand.\n${written}`)
      const removed = (await writtenFiles(system, folder)).filter(({ text }) => text === undefined)
      expect(removed.map(({ path }) => path).toSorted()).toEqual(left)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
