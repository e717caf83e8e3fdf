import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isAlive } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeptSources } from '../src/supervisor/gate.ts'
import { ManagedProcess } from '../src/supervisor/managed-process.ts'
import { Spare } from '../src/supervisor/spare.ts'

/** Names the processes in which it is loaded. */
const TAX = `import { appendFileSync } from 'node:fs'
appendFileSync(new URL('../../loaded', import.meta.url), process.pid + ' ')
export const tax = '19 %'
`
const PAGE = "readFileSync(new URL('./page.html', import.meta.url), 'utf8')"
const MAIN = `import { createServer } from 'node:http'
import { tax } from 'tax'
import { answer } from './answer.ts'
const server = createServer((req, res) => res.end(answer + ' ' + tax))
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(JSON.stringify({ msg: process.env['NAME'] + ' ready', port: server.address().port }))
})
process.on('SIGTERM', () => server.close())
`

describe('Spare', () => {
  let root: string
  let spare: Spare
  let till: ManagedProcess
  /** Names of the processes that were started. */
  let started: string[]
  const sourcesOf = (files: Readonly<Record<string, string>>): KeptSources =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [pathToFileURL(join(root, file)).href, text]))
  const edition = (answer: string) =>
    sourcesOf({ 'src/main.ts': MAIN, 'src/answer.ts': `export const answer: string = '${answer}'` })
  const loadedIn = async () =>
    (await readFile(join(root, 'loaded'), 'utf8').catch(() => '')).trim().split(' ').filter(Boolean).map(Number)
  const answer = async () => await (await fetch(`http://127.0.0.1:${till.status.port}`)).text()
  const service = (name: string) =>
    new ManagedProcess({
      ...{ name, main: join(root, 'src/main.ts'), cwd: root, port: 0, spare },
      env(port) {
        started.push(name)
        return { ...process.env, NAME: name, PORT: String(port) }
      },
      onLine: () => {},
    })
  /** The process that waits, once it has loaded the package. */
  const waiting = () =>
    waitFor('the spare', async () => (await loadedIn()).findLast((pid) => pid !== till.status.pid && isAlive(pid)))

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-spare-')))
    const files = {
      'package.json': '{"type":"module"}',
      'node_modules/tax/package.json': '{"name":"tax","type":"module","exports":"./index.js"}',
      'node_modules/tax/index.js': TAX,
      'src/main.ts': MAIN,
      'src/answer.ts': "export const answer = 'first'",
    }
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), text)
    }
    spare = new Spare(root)
    started = []
    till = service('till')
    await till.start()
    await till.replace(edition('second'), edition('first'))
  })
  afterEach(async () => {
    await till.stop()
    spare[Symbol.dispose]()
    await rm(root, { recursive: true, force: true, maxRetries: 20 })
  })

  it('decisions 3.75: has loaded the packages when the next change comes, and runs the changed sources', async () => {
    const pid = await waiting()
    await till.replace(edition('third'), edition('second'))
    expect([till.status.pid, await answer()]).toEqual([pid, 'third 19 %'])
  })

  it('is not used when packages were installed since', async () => {
    const pid = await waiting()
    await utimes(join(root, 'node_modules'), new Date(), new Date(Date.now() + 1000))
    await till.replace(edition('third'), edition('second'))
    expect(await answer()).toBe('third 19 %')
    expect(till.status.pid).not.toBe(pid)
    await waitFor('its end', () => !isAlive(pid))
  })

  it('is not used when a source that it has loaded changed', async () => {
    const withTax = (text: string) => ({ ...edition(text), ...sourcesOf({ 'node_modules/tax/index.js': TAX }) })
    await till.replace(withTax('third'), edition('second'))
    const pid = await waiting()
    const changed = { ...withTax('fourth'), ...sourcesOf({ 'node_modules/tax/index.js': TAX.replace('19', '7') }) }
    await till.replace(changed, withTax('third'))
    expect(await answer()).toBe('fourth 7 %')
    expect(till.status.pid).not.toBe(pid)
  })

  it('is not used when a source of the service itself changed that a package has loaded', async () => {
    const rate = 'src/rate.js'
    const withRate = (text: string) => ({ ...edition('x'), ...sourcesOf({ [rate]: `export const tax = '${text}'` }) })
    await writeFile(
      join(root, 'node_modules/tax/index.js'),
      `${TAX.replace(/export.*/, '')}export * from '../../${rate}'`,
    )
    await till.replace(withRate('7 %'), edition('second'))
    const pid = await waiting()
    await till.replace(withRate('8 %'), withRate('7 %'))
    expect(await answer()).toBe('x 8 %')
    expect(till.status.pid).not.toBe(pid)
  })

  it('is not used when a file changed that a package has read', async () => {
    const page = 'node_modules/tax/page.html'
    const withPage = (text: string, html: string) => ({ ...edition(text), ...sourcesOf({ [page]: html }) })
    await writeFile(join(root, page), 'old page')
    const reading = TAX.replace('{ ', '{ readFileSync, ').replace("'19 %'", PAGE)
    await writeFile(join(root, 'node_modules/tax/index.js'), reading)
    await till.replace(withPage('third', 'old page'), edition('second'))
    const pid = await waiting()
    await writeFile(join(root, page), 'new page')
    await till.replace(withPage('fourth', 'new page'), withPage('third', 'old page'))
    expect(await answer()).toBe('fourth new page')
    expect(till.status.pid).not.toBe(pid)
  })

  it('is started once for a change of several services', async () => {
    const bar = service('bar')
    await bar.start()
    started = []
    const [next, before] = [edition('third'), edition('second')]
    await Promise.all([till.replace(next, before), bar.replace(next, before)])
    await waitFor('the spare', () => started.length > 1)
    await bar.stop()
    // The waiting process has replaced `till`.
    expect(started).toEqual(['bar', expect.any(String)])
  })

  it('is one for all services, and ends with the system', async () => {
    const first = await waiting()
    await till.replace(edition('third'), edition('second'))
    expect(till.status.pid).toBe(first)
    const second = await waiting()
    spare[Symbol.dispose]()
    await waitFor('its end', () => !isAlive(second))
    await till.replace(edition('fourth'), edition('third'))
    expect(await answer()).toBe('fourth 19 %')
  })
})
