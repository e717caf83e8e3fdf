import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callControl, controlAnswers, NotRunningError } from '../src/control/control-client.ts'
import { openControl } from '../src/control/control-server.ts'
import { controlSocketPath } from '../src/state/state-folder.ts'

const nothing = { processes: [], askNotReady: async () => [] }

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
    expect(await callControl(path, 'GET', '/services')).toEqual({ services: [] })
  })

  it('is neither opened nor asked in a folder that others can write to', async () => {
    const path = controlSocketPath(`/${'x'.repeat(200)}`)
    await mkdir(dirname(path))
    const control = await openControl(path, nothing)
    await chmod(dirname(path), 0o777)
    await expect(openControl(path, nothing)).rejects.toThrow('can be written to by other users')
    await expect(callControl(path, 'GET', '/services')).rejects.toThrow('can be written to by other users')
    expect(await controlAnswers(path, 0)).toBe(false)
    await control[Symbol.asyncDispose]()
  })

  it('does not take a link for its folder that leads nowhere', async () => {
    const path = controlSocketPath(`/${'x'.repeat(200)}`)
    await symlink(join(parent, 'nowhere'), dirname(path))
    await expect(openControl(path, nothing)).rejects.toThrow()
    await expect(callControl(path, 'GET', '/services')).rejects.toThrow(NotRunningError)
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
    expect(await callControl(path, 'GET', '/services')).toEqual({ services: [] })
  })

  it('answers with the error, instead of ending the system', async () => {
    const path = join(parent, 'control.sock')
    const askNotReady = () => Promise.reject(new Error('no answer'))
    await using _control = await openControl(path, { processes: [], askNotReady })
    expect(await callControl(path, 'GET', '/services')).toEqual({ error: 'no answer' })
  })
})
