import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeImageContents } from './image-contents.ts'

const FILES: Readonly<Record<string, string>> = {
  'platform/dist/main.js': "import { said } from 'common'\nimport './health/health-page.js'\nsaid('platform')\n",
  'platform/dist/migrate-main.js': "import { said } from 'common'\nsaid('migrate')\n",
  'platform/dist/threads/yaml-worker.js': "import { said } from 'common'\nsaid('worker')\n",
  'platform/dist/health/health-page.js':
    "import { readFileSync } from 'node:fs'\nconsole.log(readFileSync(new URL('./page/index.html', import.meta.url), 'utf8'))\n",
  'platform/dist/health/page/index.html': 'a page',
  'sink/dist/main.js': "import { said } from 'common'\nsaid('sink')\n",
  'sink/dist/bundle/main.js': 'of an earlier bundle',
  'node_modules/common/index.js': "exports.said = (name) => console.log('what all need', name)\n",
  'node_modules/common/package.json': '{"name":"common","version":"1.2.3","license":"MIT"}',
  'node_modules/common/LICENSE': 'Do as you like.\n',
}

let root: string
const place = (name: string) => ({ name, folder: join(root, name) })
const image = (path: string) => join(root, 'image', path)
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'image-contents-')))
  for (const [path, text] of Object.entries(FILES)) await write(path, text)
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function runIn(program: string): Promise<string> {
  return (await run(process.execPath, [image(program)])).stdout
}

describe('what an image holds', () => {
  it('has its programs by their names: the first app, every app, and further ones', async () => {
    await writeImageContents([place('platform'), place('sink')], image(''))
    const outputs = {
      main: 'a page\nwhat all need platform\n',
      platform: 'a page\nwhat all need platform\n',
      'apps/platform/dist/bundle/main.cjs': 'a page\nwhat all need platform\n',
      migrate: 'what all need migrate\n',
      sink: 'what all need sink\n',
      'apps/sink/dist/bundle/main.cjs': 'what all need sink\n',
      'bundle/yaml-worker.cjs': 'what all need worker\n',
    }
    for (const [program, output] of Object.entries(outputs))
      expect([program, await runIn(program)]).toEqual([program, output])
    expect((await readdir(image(''))).toSorted()).toEqual(['apps', 'bundle', 'main', 'migrate', 'platform', 'sink'])
  })

  it('has what its apps share, and its licence, once', async () => {
    await writeImageContents([place('platform'), place('sink')], image(''))
    const names = await readdir(image('bundle'))
    const code = names.filter((name) => name.endsWith('.cjs'))
    const texts = await Promise.all(code.map((name) => readFile(image(`bundle/${name}`), 'utf8')))
    expect(texts.filter((text) => text.includes('what all need'))).toHaveLength(1)
    expect(await readFile(image('bundle/licenses.txt'), 'utf8')).toBe('common@1.2.3\n\nDo as you like.\n')
  })

  it('decisions 3.154: has nothing of an app that is not among its own', async () => {
    await writeImageContents([place('sink')], image(''))
    expect((await readdir(image(''), { recursive: true })).toSorted()).toEqual([
      'apps',
      'apps/sink',
      'apps/sink/dist',
      'apps/sink/dist/bundle',
      'apps/sink/dist/bundle/main.cjs',
      'bundle',
      'bundle/licenses.txt',
      'bundle/sink-main.cjs',
      'main',
      'sink',
    ])
    expect(await readFile(image('bundle/sink-main.cjs'), 'utf8')).not.toContain('platform')
  })

  it('is not written with two programs of one name', async () => {
    await write('sink/dist/migrate-main.js', '')
    await expect(writeImageContents([place('platform'), place('sink')], image(''))).rejects.toThrow(
      'an image would have two programs migrate-main',
    )
  })
})
