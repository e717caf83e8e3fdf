import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseServiceLine } from '@taproom/core/lines'
import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ControlDeps } from '../src/control/control-answers.ts'
import { askControl, controlAnswers, followControl, NotRunningError } from '../src/control/control-client.ts'
import { openControl } from '../src/control/control-server.ts'
import { createConfigurationOf } from '../src/control/controlled-process.ts'
import { createRecentLines } from '../src/output/recent-lines.ts'
import { controlSocketPath } from '../src/state/state-folder.ts'
import type { ProcessStatus } from '../src/supervisor/process-status.ts'
import { makeFixtureProcess } from './fixtures/processes.ts'

const facts = { name: 'Taproom', url: 'http://127.0.0.1:8080', healthRootPath: '/q/health', issuers: [], apps: [] }
const following = { [Symbol.dispose]: () => undefined }
const nothing: ControlDeps = {
  facts,
  processes: [],
  askFailing: async () => ({}),
  logs: createRecentLines(),
  onChange: () => following,
}

describe('control socket', () => {
  let parent: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tap-'))
    vi.stubEnv('TMPDIR', join(parent, 'tmp'))
    await mkdir(join(parent, 'tmp'))
    await chmod(join(parent, 'tmp'), 0o1777)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(parent, { recursive: true })
  })

  it('of a long state path is in a folder that only its user can use', async () => {
    const path = controlSocketPath(`/${'x'.repeat(200)}`)
    await using _control = await openControl(path, nothing)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(parent, 'tmp'))).toEqual([`taproom-${process.getuid?.()}`])
    expect((await askControl(path, 'GET', '/services')).answer).toEqual({ services: [] })
  })

  it('is neither opened nor asked in a folder that others can write to', async () => {
    const path = controlSocketPath(`/${'x'.repeat(200)}`)
    await mkdir(dirname(path))
    const control = await openControl(path, nothing)
    await chmod(dirname(path), 0o777)
    await expect(openControl(path, nothing)).rejects.toThrow('can be written to by other users')
    await expect(askControl(path, 'GET', '/services')).rejects.toThrow('can be written to by other users')
    expect(await controlAnswers(path, 0)).toBe(false)
    await control[Symbol.asyncDispose]()
  })

  it('does not take a link for its folder that leads nowhere', async () => {
    const path = controlSocketPath(`/${'x'.repeat(200)}`)
    await symlink(join(parent, 'nowhere'), dirname(path))
    await expect(openControl(path, nothing)).rejects.toThrow()
    await expect(askControl(path, 'GET', '/services')).rejects.toThrow(NotRunningError)
    expect(await readdir(parent)).toEqual(['tmp'])
  })

  it('outlives what is no request', async () => {
    const path = join(parent, 'control.sock')
    await using _control = await openControl(path, nothing)
    for (const bytes of ['rubbish\r\n\r\n', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`, '\u0000']) {
      const socket = connect(path).on('error', () => {})
      await new Promise((resolve) => socket.resume().end(bytes).once('close', resolve))
    }
    const statuses = ['/services/x/stop', '/services/%zz/stop', '/services/__proto__/start', '/../..'].map(
      (target) =>
        new Promise((resolve) => {
          request({ socketPath: path, method: 'POST', path: target }, (res) => resolve(res.resume().statusCode)).end()
        }),
    )
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404])
    expect((await askControl(path, 'GET', '/services')).answer).toEqual({ services: [] })
  })

  it('gives lines by their numbers, and those that follow', async () => {
    const path = join(parent, 'control.sock')
    const logs = createRecentLines()
    await using _control = await openControl(path, { ...nothing, logs })
    for (const msg of ['one', 'two', 'three']) logs.write(parseServiceLine('a', 'stdout', JSON.stringify({ msg })))
    const got: string[] = []
    const { signal } = new AbortController()
    await followControl(path, '/logs?after=1', { onLine: (line) => got.push(line), signal })
    expect(got).toEqual([
      '{"id":2,"line":{"service":"a","msg":"two"}}',
      '{"id":3,"line":{"service":"a","msg":"three"}}',
    ])
    const stop = new AbortController()
    const followed: string[] = []
    const onLine = (line: string) => {
      followed.push(line)
      if (followed.length === 1) logs.write(parseServiceLine('a', 'stdout', 'four'))
      else stop.abort()
    }
    await followControl(path, '/logs?last=1&follow', { onLine, signal: stop.signal })
    expect(followed[0]).toBe(got[1])
    expect(followed[1]).toMatch(/^\{"id":4,.*"msg":"four"\}\}$/)
  })

  it('tells of each process that changes, and cuts off a reader that does not read', async () => {
    const path = join(parent, 'control.sock')
    let tell: ((status: ProcessStatus) => void) | undefined
    const onChange: ControlDeps['onChange'] = (changed) => {
      tell = changed
      return {
        [Symbol.dispose]() {
          tell = undefined
        },
      }
    }
    await using _control = await openControl(path, { ...nothing, onChange })
    const reader = connect(path).on('error', () => {})
    reader.pause()
    reader.write('GET /changes HTTP/1.1\r\nHost: x\r\n\r\n')
    await waitFor('the reader', () => tell !== undefined)
    const name = 'x'.repeat(10_000)
    let told = 0
    await waitFor(
      'its end',
      () => {
        for (let i = 0; i < 50; i += 1) {
          told += 1
          tell?.({ name, state: 'ready', pid: 1, port: 1, crashes: 0, restarts: 0, startedAt: 0 })
        }
        return tell === undefined
      },
      { intervalMs: 0 },
    )
    expect(told * name.length).toBeLessThan(100 * 1024 * 1024)
    reader.destroy()
  })

  it('kills as a crash would, and gives the reason where nothing runs', async () => {
    const path = join(parent, 'control.sock')
    using fixture = makeFixtureProcess('doomed')
    const description = { kind: 'app', cwd: parent } as const
    const controlled = { process: fixture.process, description, layers: () => [] }
    await using _control = await openControl(path, { ...nothing, processes: [controlled] })
    expect(await askControl(path, 'POST', '/services/doomed/kill')).toMatchObject({ status: 409 })
    await fixture.process.start()
    const { pid } = fixture.process.status
    const { status, answer } = await askControl(path, 'POST', '/services/doomed/kill')
    expect([status, answer]).toMatchObject([200, { service: { name: 'doomed', crashes: 1 } }])
    await waitFor('the restart', () => fixture.process.status.state === 'ready')
    expect(fixture.process.status).toMatchObject({ restarts: 1, crashes: 1 })
    expect(fixture.process.status.pid).not.toBe(pid)
  })

  it('reads a configuration once at a time, however many ask', async () => {
    using fixture = makeFixtureProcess('one')
    const layers = () => [{ from: 'start', variables: { PORT: '1', A_TOKEN: 'x' } } as const]
    const controlled = { process: fixture.process, description: { kind: 'app', cwd: parent } as const, layers }
    const configurationOf = createConfigurationOf()
    const first = configurationOf(controlled)
    expect(configurationOf(controlled)).toBe(first)
    expect(await first).toEqual([
      { name: 'PORT', from: 'start', value: '1' },
      { name: 'A_TOKEN', from: 'start', value: '[hidden]' },
    ])
    expect(configurationOf(controlled)).not.toBe(first)
  })

  it('answers with the error, instead of ending the system', async () => {
    const path = join(parent, 'control.sock')
    const askFailing = () => Promise.reject(new Error('no answer'))
    await using _control = await openControl(path, { ...nothing, askFailing })
    expect((await askControl(path, 'GET', '/services')).answer).toEqual({ error: 'no answer' })
  })
})
