import { describe, expect, it } from 'vitest'
import { startedConsole } from '../src/console/started-console.ts'
import { createRecentLines } from '../src/output/recent-lines.ts'
import { makeFixtureProcess } from './fixtures/processes.ts'

const never = { logs: createRecentLines(), kill: new AbortController().signal }

describe('decisions 3.114: the console beside the system', () => {
  it('is there for who waits for it, from its start until it is stopped', async () => {
    using fixture = makeFixtureProcess('console')
    const console = startedConsole(fixture.process, never)
    expect(await console.started()).toBe(false)
    console.start()
    expect(await console.started()).toBe(true)
    expect(await console.started()).toBe(true)
    await console[Symbol.asyncDispose]()
    expect(fixture.process.status.state).toBe('stopped')
    expect(await console.started()).toBe(false)
  })

  it.each(['invalid', 'crash'])('is not there when its program is %s, and nothing fails', async (behaviour) => {
    using fixture = makeFixtureProcess('console', behaviour)
    const logs = createRecentLines()
    const console = startedConsole(fixture.process, { ...never, logs })
    console.start()
    expect(await console.started()).toBe(false)
    expect(fixture.process.status).toMatchObject({ state: 'stopped', crashes: 0 })
    const told = logs.after(0).map(({ json }) => JSON.parse(json))
    const reason = expect.stringMatching(/PRICE_MIN|broken on purpose/)
    expect(told).toMatchObject([{ service: 'console', msg: expect.stringContaining('could not'), problems: [reason] }])
  })

  it('is there again after a crash', async () => {
    using fixture = makeFixtureProcess('console')
    const console = startedConsole(fixture.process, never)
    console.start()
    expect(await console.started()).toBe(true)
    await fixture.process.killOnce()
    expect(await console.started()).toBe(true)
    expect(fixture.process.status).toMatchObject({ crashes: 1, restarts: 1 })
  })

  it('ends at once with everything else', async () => {
    using fixture = makeFixtureProcess('console', 'stubborn')
    const kill = new AbortController()
    const console = startedConsole(fixture.process, { ...never, kill: kill.signal })
    console.start()
    await console.started()
    kill.abort()
    await fixture.process.stop()
    expect(fixture.process.status.state).toBe('stopped')
  })

  it('is nowhere where there is none', async () => {
    const console = startedConsole(undefined, never)
    console.start()
    expect(await console.started()).toBe(false)
    await console[Symbol.asyncDispose]()
  })
})
