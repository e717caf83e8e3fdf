import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseServiceLine } from '@taproom/core/lines'
import { expect, it, onTestFinished } from 'vitest'
import { askControl } from '../src/control/control-client.ts'
import { openControl } from '../src/control/control-server.ts'
import { createRecentLines } from '../src/output/recent-lines.ts'
import type { ProcessStatus } from '../src/supervisor/process-status.ts'

async function openWithSink() {
  const folder = await mkdtemp(join(tmpdir(), 'tap-'))
  const instance = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const logs = createRecentLines()
  let changed: (status: ProcessStatus) => void = () => {}
  const path = join(folder, 'control.sock')
  const control = await openControl(path, {
    ...{ processes: [], askFailing: async () => ({}), logs },
    facts: {
      ...{ name: 'Shop', url: 'http://127.0.0.1:1', healthRootPath: '/q/health', issuers: [], apps: [] },
      platform: 'event-platform',
    },
    onChange(listener) {
      changed = listener
      return { [Symbol.dispose]() {} }
    },
  })
  onTestFinished(async () => {
    instance.kill('SIGKILL')
    await control[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const line = (service: string, msg: string, pid = instance.pid, sink = 'default/billing') =>
    logs.write(parseServiceLine(service, 'stdout', JSON.stringify({ level: 'info', msg, sink, pid })))
  line('event-platform', 'sink instance running')
  return {
    instance,
    line,
    changed: (status: Pick<ProcessStatus, 'name' | 'state'>) => changed(status as ProcessStatus),
    post: (name: string, action: string) => askControl(path, 'POST', `/services/${encodeURIComponent(name)}/${action}`),
  }
}

it.each(['default/billing', 'billing'])('decisions 3.194: kills the instances of the sink %s', async (name) => {
  const { instance, post } = await openWithSink()
  const ended = once(instance, 'exit')
  expect(await post(name, 'kill')).toEqual({ status: 200, answer: { sink: { name: 'default/billing', instances: 1 } } })
  expect(await ended).toEqual([null, 'SIGKILL'])
})

it('decisions 3.194: restarts a sink by ending its instances in order, and neither stops nor starts it', async () => {
  const { instance, post } = await openWithSink()
  expect(await post('default/billing', 'stop')).toMatchObject({
    status: 409,
    answer: { error: expect.stringContaining('default/billing is a sink') },
  })
  const ended = once(instance, 'exit')
  expect((await post('billing', 'restart')).status).toBe(200)
  expect(await ended).toEqual([null, 'SIGTERM'])
})

it('decisions 3.194: knows no instance that has ended, alone or with event-platform, nor one that another service names', async () => {
  const { instance, line, changed, post } = await openWithSink()
  line('event-platform', 'sink instance stopped')
  line('billing-sink', 'sink instance running')
  const { status, answer } = await post('default/billing', 'kill')
  expect([status, answer]).toEqual([
    404,
    { error: expect.stringContaining('there is no service default/billing, nor') },
  ])
  line('event-platform', 'sink instance running')
  changed({ name: 'event-platform', state: 'waiting' })
  expect((await post('billing', 'kill')).status).toBe(404)
  expect(instance.exitCode).toBeNull()
})

it('decisions 3.194: ends none by a name that sinks of two namespaces have', async () => {
  const { instance, line, post } = await openWithSink()
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void other.kill('SIGKILL'))
  line('event-platform', 'sink instance running', other.pid, 'shop/billing')
  expect(await post('billing', 'kill')).toEqual({
    status: 409,
    answer: { error: 'billing is the name of default/billing and shop/billing: expected one of these' },
  })
  const ended = once(other, 'exit')
  expect((await post('shop/billing', 'kill')).status).toBe(200)
  await ended
  expect([instance.exitCode, instance.signalCode]).toEqual([null, null])
})
