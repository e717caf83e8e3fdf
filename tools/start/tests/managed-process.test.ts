import { readFileSync } from 'node:fs'
import { FEW_ARENAS, isAlive, SMALL_HEAP } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceExitError } from '../src/supervisor/start-error.ts'
import { type FixtureProcess, makeFixtureProcess } from './fixtures/processes.ts'

describe('ManagedProcess', () => {
  let fixture: FixtureProcess
  beforeAll(async () => {
    fixture = makeFixtureProcess('one')
    await fixture.process.start()
  })
  afterAll(() => fixture[Symbol.dispose]())

  it('is ready once the service says so, and knows its port', async () => {
    const { port, state } = fixture.process.status
    expect(state).toBe('ready')
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('one')
    expect(fixture.lines.map((line) => line.service)).toEqual(['one'])
  })

  it('decisions 3.131: has what keeps it small', { tags: 'linux' }, () => {
    const of = (file: string) => readFileSync(`/proc/${fixture.process.status.pid}/${file}`, 'utf8').split('\0')
    expect(of('cmdline')).toEqual(expect.arrayContaining([...SMALL_HEAP]))
    expect(of('environ')).toEqual(expect.arrayContaining(Object.entries(FEW_ARENAS).map((entry) => entry.join('='))))
  })

  it('starts a killed service again on the same port', async () => {
    const { port, pid = 0 } = fixture.process.status
    process.kill(pid, 'SIGKILL')
    await waitFor('the restart', () => fixture.process.status.crashes === 1 && fixture.process.status.state === 'ready')
    expect(fixture.process.status.port).toBe(port)
    expect(fixture.process.status.pid).not.toBe(pid)
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('one')
    expect(fixture.lines.map((line) => line.fields['msg'])).toContain('ended, to be started again')
  })

  it.each([
    { healthyMs: 600_000, what: 'waits longer after each crash', waits: [100, 200] },
    { healthyMs: 0, what: 'waits as at first after a crash of a service that had been healthy', waits: [100, 100] },
  ])('$what', async ({ healthyMs, waits }) => {
    using fixture = makeFixtureProcess('one', 'plain', undefined, healthyMs)
    await fixture.process.start()
    for (const crashes of [1, 2]) {
      process.kill(fixture.process.status.pid ?? 0, 'SIGKILL')
      await waitFor('the restart', () => {
        const { status } = fixture.process
        return status.crashes === crashes && status.state === 'ready'
      })
    }
    expect(fixture.lines.map(({ fields }) => fields['waitMs']).filter((waitMs) => waitMs !== undefined)).toEqual(waits)
  })

  it('gives up a service that ends before it was ever ready, with the problems it told', async () => {
    using fixture = makeFixtureProcess('one', 'invalid')
    const error = await fixture.process.start().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ServiceExitError)
    expect(error).toMatchObject({ service: 'one', problems: ['PRICE_MIN="abc": expected a number'] })
    expect(fixture.process.status.state).toBe('stopped')
    expect(fixture.lines).toEqual([])
  })

  it('gives up a service that throws, with what it wrote to stderr', async () => {
    using fixture = makeFixtureProcess('one', 'crash')
    await expect(fixture.process.start()).rejects.toMatchObject({
      problems: [expect.stringContaining('broken on purpose')],
    })
  })

  it('stops on request without a restart and can be started again', async () => {
    using fixture = makeFixtureProcess('one')
    await fixture.process.start()
    const { pid = 0, port } = fixture.process.status
    await fixture.process.stop()
    expect(isAlive(pid)).toBe(false)
    expect(fixture.process.status).toMatchObject({ state: 'stopped', pid: undefined, crashes: 0 })
    await fixture.process.start()
    expect(fixture.process.status).toMatchObject({ state: 'ready', port })
  })

  it('kills a service that does not stop within the grace, and everything that it started', async () => {
    using stubborn = makeFixtureProcess('one', 'stubborn')
    using parent = makeFixtureProcess('two', 'parent')
    await Promise.all([stubborn.process.start(), parent.process.start()])
    const grandchild = parent.lines.map((line) => line.fields['child']).find((pid) => typeof pid === 'number') as number
    expect(isAlive(grandchild)).toBe(true)
    await Promise.all([stubborn.process.stop(100), parent.process.stop()])
    expect(stubborn.process.status.state).toBe('stopped')
    await waitFor('the end of the grandchild', () => !isAlive(grandchild))
  })
})
