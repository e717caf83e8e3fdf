import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyPatched } from '../scripts/copy-patched.ts'

const INSTALLED = fileURLToPath(new URL('../node_modules/kafkajs', import.meta.url))
const PATCH = fileURLToPath(new URL('../../../patches/kafkajs.patch', import.meta.url))
const require = createRequire(import.meta.url)

describe('decisions 3.70: the copy of kafkajs', () => {
  let folder: string
  let from: string
  let to: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kafkajs-'))
    from = join(folder, 'installed')
    to = join(folder, 'copy')
    await mkdir(from)
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is a package with the licence and the name of kafkajs that runs', async () => {
    await copyPatched({ from: INSTALLED, patch: PATCH, to })
    expect(await readFile(join(to, 'LICENSE'), 'utf8')).toContain('The MIT License')
    expect(require(join(to, 'package.json'))).toMatchObject({ name: 'kafkajs', version: '2.2.4', license: 'MIT' })
    expect(require(to).KafkaJSCorruptDataError).toBeTypeOf('function')
  })

  it('is not made of a version that the patch does not know', async () => {
    const manifest = JSON.parse(await readFile(join(INSTALLED, 'package.json'), 'utf8'))
    await writeFile(join(from, 'package.json'), JSON.stringify({ ...manifest, version: '2.3.0' }))
    await expect(copyPatched({ from, patch: PATCH, to })).rejects.toThrow('kafkajs is 2.3.0')
    await expect(readFile(join(to, 'package.json'))).rejects.toThrow('ENOENT')
  })

  it('is not made where a correction is missing', async () => {
    for (const name of ['package.json', 'src']) await cp(join(INSTALLED, name), join(from, name), { recursive: true })
    const decoder = 'src/protocol/decoder.js'
    await writeFile(join(from, decoder), `${await readFile(join(from, decoder), 'utf8')}// changed\n`)
    await rm(join(from, 'src/consumer/batch.js'))
    await expect(copyPatched({ from, patch: PATCH, to })).rejects.toThrow(`src/consumer/batch.js, ${decoder}`)
  })

  it('is not made by a patch that does not say what its files become', async () => {
    const short = join(folder, 'short.patch')
    await writeFile(short, (await readFile(PATCH, 'utf8')).replace(/^index ([0-9a-f]{9})[0-9a-f]*/m, 'index $1'))
    await expect(copyPatched({ from: INSTALLED, patch: short, to })).rejects.toThrow('the full hash')
  })
})
