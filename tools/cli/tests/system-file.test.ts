import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SystemFile } from '../src/system-file.ts'

const FILES = {
  'package.json': '{ "type": "module" }',
  'node_modules/other/index.js': 'export const other = 1\n',
  'node_modules/other/package.json': '{ "name": "other", "type": "module", "exports": "./index.js" }',
  'system.ts': `import { other } from 'other'
import { paths } from './shop/paths.ts'
import settings from './settings.json' with { type: 'json' }
const { late } = await import('./late.ts')

export const system = {
  name: [paths, settings.name, late, other].join(),
  config: () => import('./lazy.ts'),
  tryIt: () => [],
}
`,
  'shop/paths.ts': "export { paths } from './deep.ts'\n",
  'shop/deep.ts': "export const paths: string = 'deep'\n",
  'settings.json': '{ "name": "json" }',
  'late.ts': "export const late = 'late'\n",
  'lazy.ts': 'export const readConfig = () => ({})\n',
}

describe('SystemFile', () => {
  let root: string
  let file: SystemFile
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-described-')))
    for (const [path, text] of Object.entries(FILES)) await write(path, text)
    file = new SystemFile(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const name = async () => (await file.describe()).name
  const sources = () => Object.fromEntries([...file.sources].map(([path, text]) => [relative(root, path), text]))

  it('decisions 3.149: knows the texts of all that was loaded while the system was described, but for packages of others', async () => {
    expect(await name()).toBe('deep,json,late,1')
    const loaded = ['system.ts', 'shop/paths.ts', 'shop/deep.ts', 'settings.json', 'late.ts'] as const
    expect(sources()).toEqual(Object.fromEntries(loaded.map((path) => [path, FILES[path]])))
  })

  it.each([
    ['shop/deep.ts', "export const paths = 'new'\n", 'new,json,late,1'],
    ['settings.json', '{ "name": "new" }', 'deep,new,late,1'],
    ['late.ts', "export const late = '\uFEFFnew'\n", 'deep,json,\uFEFFnew,1'],
    ['late.ts', "\uFEFFexport const late = 'new'\n", 'deep,json,new,1'],
  ])('describes the system as it is once %s has changed', async (path, text, expected) => {
    await name()
    await write(path, text)
    expect(await name()).toBe(expected)
    expect(sources()[path]).toBe(text)
  })

  it('knows what it has read of a description that cannot be loaded, and loads it once that is corrected', async () => {
    await write('shop/deep.ts', 'export const paths: = 1\n')
    await expect(name()).rejects.toThrow(SyntaxError)
    expect(sources()).toMatchObject({ 'shop/deep.ts': 'export const paths: = 1\n' })
    await rm(join(root, 'shop/deep.ts'))
    await expect(name()).rejects.toThrow('deep.ts')
    expect(Object.entries(sources())).toContainEqual(['shop/deep.ts', undefined])
    await write('shop/deep.ts', FILES['shop/deep.ts'])
    expect(await name()).toBe('deep,json,late,1')
  })

  it('knows that system.ts is missing', async () => {
    await name()
    await rm(join(root, 'system.ts'))
    await expect(name()).rejects.toThrow('system.ts')
    expect(Object.entries(sources())).toEqual([['system.ts', undefined]])
  })
})
