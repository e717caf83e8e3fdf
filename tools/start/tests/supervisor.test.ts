import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { StartError } from '../src/supervisor/start-error.ts'
import { createSupervisor } from '../src/supervisor/supervisor.ts'
import { makeFixtureProcess } from './fixtures/processes.ts'

describe('supervisor', () => {
  it('starts what is needed first and stops it last', async () => {
    const events: string[] = []
    const make = (name: string) => makeFixtureProcess(name, 'plain', ({ state }) => events.push(`${name} ${state}`))
    using kafka = make('kafka')
    using app = make('app')
    const supervisor = createSupervisor({
      processes: [
        { process: kafka.process, needs: [] },
        { process: app.process, needs: ['kafka'] },
      ],
    })
    await supervisor.start()
    expect(events).toEqual(['kafka starting', 'kafka ready', 'app starting', 'app ready'])
    events.length = 0
    await supervisor.stop(4000)
    expect(events).toEqual(['app stopping', 'app stopped', 'kafka stopping', 'kafka stopped'])
  })

  it('reports the problems of all services that fail, each once', async () => {
    using needed = makeFixtureProcess('standin', 'crash')
    using first = makeFixtureProcess('first', 'invalid')
    using second = makeFixtureProcess('second', 'invalid')
    const supervisor = createSupervisor({
      processes: [
        { process: needed.process, needs: [] },
        { process: first.process, needs: ['standin'] },
        { process: second.process, needs: [] },
      ],
    })
    const error = await supervisor.start().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(StartError)
    const { problems } = error as StartError
    expect(problems).toHaveLength(2)
    const shared = problems.find(({ text }) => text === 'PRICE_MIN="abc": expected a number')
    expect(shared?.services.toSorted()).toEqual(['first', 'second'])
    expect(problems.some(({ text, services }) => text.includes('broken on purpose') && services[0] === 'standin')).toBe(
      true,
    )
  })

  it('starts nothing more once it is stopped during the start', async () => {
    using kafka = makeFixtureProcess('kafka')
    using app = makeFixtureProcess('app')
    const supervisor = createSupervisor({
      processes: [
        { process: kafka.process, needs: [] },
        { process: app.process, needs: ['kafka'] },
      ],
    })
    const started = supervisor.start().catch(() => {})
    await waitFor('kafka to start', () => kafka.process.status.state === 'starting')
    await supervisor.stop(2000)
    await started
    expect(app.changes.map(({ state }) => state)).not.toContain('starting')
  })

  it('is done after its grace whatever the services do', async () => {
    using kafka = makeFixtureProcess('kafka', 'stubborn')
    using app = makeFixtureProcess('app', 'stubborn')
    const supervisor = createSupervisor({
      processes: [
        { process: kafka.process, needs: [] },
        { process: app.process, needs: ['kafka'] },
      ],
    })
    await supervisor.start()
    await supervisor.stop(400)
    expect([kafka.process.status.state, app.process.status.state]).toEqual(['stopped', 'stopped'])
  })
})
