import { appendFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { isAlive, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppBundles } from '../src/serving/app-bundles.ts'
import { bundleOf } from '../src/serving/app-folder.ts'
import { type Instance, startInstance } from '../src/serving/instance.ts'

/** Is ready at once, and says which file it is. */
const MAIN = `
const server = require('node:net').createServer().listen(0, () => {
  console.log(JSON.stringify({ msg: 'demo ready', port: server.address().port }))
})
process.on('SIGTERM', () => process.exit(0))
`

/** Makes a "bundle" that is just the same file, and its record, which is there only once it is whole. */
const BUNDLE = `
const fs = require('node:fs')
fs.appendFileSync('made', '.')
if (fs.existsSync('broken')) { console.error('a syntax error'); process.exit(1) }
fs.mkdirSync('dist/bundle', { recursive: true })
fs.copyFileSync('src/main.ts', 'dist/bundle/main.cjs')
const { mtimeMs, size } = fs.statSync('src/main.ts')
fs.writeFileSync('dist/bundle/inputs.new', JSON.stringify({ 'src/main.ts': { mtimeMs, size } }))
fs.renameSync('dist/bundle/inputs.new', 'dist/bundle/inputs.json')
`

describe('AppBundles', () => {
  let folder: string
  let bundles: AppBundles
  let warnings: object[]
  const instances: Instance[] = []
  const inFolder = (name: string) => join(folder, name)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-'))
    await mkdir(inFolder('src'))
    await writeFile(inFolder('src/main.ts'), MAIN)
    await writeFile(inFolder('bundle.cjs'), BUNDLE)
    await writeFile(inFolder('package.json'), '{"type":"commonjs","scripts":{"bundle":"node bundle.cjs"}}')
    warnings = []
    const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields), error: () => {} }
    bundles = new AppBundles({ env: { PATH: process.env['PATH'] ?? '' }, log })
  })
  afterEach(async () => {
    bundles[Symbol.dispose]()
    await Promise.all(instances.splice(0).map((instance) => instance.stop(1000)))
    await rm(folder, { recursive: true })
  })

  /** Starts the app, waits until it is ready or has ended, and gives the file that was run. */
  async function start(): Promise<string> {
    let ran = ''
    const app = { app: 'demo', folder, main: inFolder('src/main.ts') }
    const instance = bundles.start(app, (main) => {
      ran = main.slice(folder.length + 1)
      return startInstance({ ...app, main, env: {}, output: new PassThrough().resume() })
    })
    instances.push(instance)
    await Promise.allSettled([instance.ready])
    return ran
  }
  const made = () => waitFor('the bundle', () => bundleOf({ folder, main: inFolder('src/main.ts') }))

  /** What the script makes, without the script. */
  async function writeBundle(code: string) {
    const { mtimeMs, size } = await stat(inFolder('src/main.ts'))
    await mkdir(inFolder('dist/bundle'), { recursive: true })
    await writeFile(inFolder('dist/bundle/main.cjs'), code)
    await writeFile(inFolder('dist/bundle/inputs.json'), JSON.stringify({ 'src/main.ts': { mtimeMs, size } }))
  }

  it('runs the sources at once, makes the bundle after that, and runs it the next time', async () => {
    expect(await start()).toBe('src/main.ts')
    await made()
    expect(await start()).toBe('dist/bundle/main.cjs')
    await expect(instances[1]?.ready).resolves.toHaveProperty('port')
  })

  it('never runs the bundle of sources that changed since, and makes a new one', async () => {
    await start()
    await made()
    await appendFile(inFolder('src/main.ts'), '// changed')
    expect(await start()).toBe('src/main.ts')
    await made()
    expect(await start()).toBe('dist/bundle/main.cjs')
  })

  it('runs the sources for good, after one warning, when the bundle cannot be made', async () => {
    await writeFile(inFolder('broken'), '')
    await start()
    await waitFor('the warning', () => warnings.length > 0)
    expect(warnings).toEqual([{ app: 'demo', reason: expect.stringContaining('a syntax error') }])
    expect(await start()).toBe('src/main.ts')
    await rm(inFolder('broken'))
    expect(await start()).toBe('src/main.ts')
    expect(warnings).toHaveLength(1)
  })

  it('runs the sources again, after one warning, when the bundle ends before it is ready', async () => {
    await writeBundle('process.exit(3)')
    expect(await start()).toBe('dist/bundle/main.cjs')
    await waitFor('the warning', () => warnings.length > 0)
    expect(await start()).toBe('src/main.ts')
    await expect(instances[1]?.ready).resolves.toHaveProperty('port')
    expect(warnings).toHaveLength(1)
  })

  it('leaves a bundle in force that was asked to stop before it was ready', async () => {
    await writeBundle('setInterval(() => {}, 1000)')
    const starting = start()
    await waitFor('the instance', () => instances.length === 1)
    await instances[0]?.stop(1000)
    await starting
    await writeBundle(MAIN)
    expect(warnings).toEqual([])
    expect(await start()).toBe('dist/bundle/main.cjs')
  })

  it('leaves no instance of a bundle behind when the platform is killed', async () => {
    await writeBundle(MAIN)
    const instanceFile = join(import.meta.dirname, '../src/serving/instance.ts')
    const options = JSON.stringify({ app: 'demo', folder, main: inFolder('dist/bundle/main.cjs'), env: {} })
    const code = `import { startInstance } from '${instanceFile}'
      const instance = startInstance({ ...${options}, output: process.stderr })
      await instance.ready
      console.log(JSON.stringify({ msg: 'ready', port: instance.pid }))
      setInterval(() => {}, 1000)`
    const args = ['--conditions=development', '--input-type=module', '--eval', code]
    await using platform = startNode({ args, env: process.env, stderr: 'inherit' })
    const { port: pid } = await platform.ready
    expect(isAlive(pid)).toBe(true)
    await platform.kill()
    await waitFor('the end of the instance', () => !isAlive(pid))
  })
})
