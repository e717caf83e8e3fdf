import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { run } from '@taproom/processes'
import { startProcess, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '..')
const headers = { 'Ce-Id': '1', 'Ce-Source': '/curl', 'Ce-Type': 'aloha', 'Ce-Specversion': '1.0' }

/** Inside the package, because a sink finds what it imports by where it is. */
let folder: string
const bundle = () =>
  run(process.execPath, ['--conditions=development', `${PACKAGE}/scripts/bundle.ts`], { cwd: folder })
const inBundle = (name: string) => join(folder, 'dist/bundle', name)

describe('the bundle of a sink', () => {
  beforeAll(async () => {
    folder = join(PACKAGE, 'node_modules/.cache', `bundle-test-${process.pid}`)
    await mkdir(join(folder, 'src'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const main = `import { runSink } from '${PACKAGE}/src/index.ts'\nvoid runSink({ app: 'demo-sink', sink: 'demo' }, process.env)\n`
    await writeFile(join(folder, 'src/main.ts'), main)
    // A bundle of a source that changes while it is read is not used.
    const past = new Date(Date.now() - 60_000)
    for (const file of ['src/main.ts', 'package.json']) await utimes(join(folder, file), past, past)
    await bundle()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('answers as the sources do: events, health, its page and metrics', async () => {
    await using sink = startProcess(pathToFileURL(inBundle('main.cjs')), {})
    const url = await sink.url()
    expect((await fetch(url, { method: 'POST', headers, body: 'Aloha' })).status).toBe(200)
    await waitFor('the event in the log', () => sink.lines.length > 1)
    expect(sink.lines[1]).toMatchObject({ sink: 'demo', msg: 'event received', event: { id: '1', data: 'Aloha' } })
    expect(await (await fetch(`${url}/q/health/ready`)).json()).toMatchObject({ status: 'UP' })
    expect(await (await fetch(`${url}/q/metrics`)).text()).toMatch(/^process_cpu_seconds_total /m)
    expect(await (await fetch(`${url}/q/health-ui/`)).text()).toContain('<title>Health</title>')
    expect((await fetch(url)).status).toBe(405)
    expect(await sink.stop()).toBe(0)
  })

  it('keeps express and prom-client out of what is loaded for the first event', async () => {
    const files = await readdir(inBundle(''))
    expect(files.filter((name) => /^metric-registry-.*\.cjs$/.test(name))).toHaveLength(1)
    // express would double it.
    const code = await readFile(inBundle('main.cjs'), 'utf8')
    expect(code.length).toBeLessThan(170_000)
    expect(code).not.toContain('nodejs_eventloop_lag')
  })

  it('records spans with the API that the SDK has in its file', async () => {
    const bodies: string[] = []
    const collector = createServer(async (req, res) => {
      bodies.push((await buffer(req)).toString('latin1'))
      res.end()
    })
    await once(collector.listen(0, '127.0.0.1'), 'listening')
    const { port } = collector.address() as AddressInfo
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_COMPRESSION: 'none' }
    await using sink = startProcess(pathToFileURL(inBundle('main.cjs')), env)
    await fetch(await sink.url(), { method: 'POST', headers, body: 'Aloha' })
    expect(await sink.stop()).toBe(0)
    collector.close()
    expect(bodies.join()).toMatch(/demo-sink.*POST \//s)
  })

  it('says what it was made from: every source, manifests, the lockfile, but no installed package', async () => {
    const inputs: Record<string, { mtimeMs: number; size: number }> = JSON.parse(
      await readFile(inBundle('inputs.json'), 'utf8'),
    )
    const paths = Object.keys(inputs)
    for (const end of [
      'src/main.ts',
      'src/app.ts',
      '/service/src/server/listen.ts',
      '/service/package.json',
      '/health/src/page/page.js',
      'pnpm-lock.yaml',
      'scripts/bundle.ts',
    ]) {
      expect(paths).toContainEqual(expect.stringMatching(new RegExp(`${end}$`)))
    }
    expect(paths.join()).not.toContain('express/')
    const { mtimeMs, size } = await stat(join(folder, 'src/main.ts'))
    expect(inputs['src/main.ts']).toEqual({ mtimeMs, size })
  })

  it('is not made, with a reason on stderr, when the sources are broken; the one before stays', async () => {
    const before = await readFile(inBundle('inputs.json'), 'utf8')
    await writeFile(join(folder, 'src/main.ts'), 'import from nowhere')
    await expect(bundle()).rejects.toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^not bundled: /) })
    expect(await readFile(inBundle('inputs.json'), 'utf8')).toBe(before)
  })
})
