import { isDeepStrictEqual } from 'node:util'
import { startPostgres, type TestPostgres, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlOf } from './fixtures/control.ts'
import { makeSurroundings, runStart, waitUntilReady } from './fixtures/system.ts'

interface Report {
  readonly checks: readonly { readonly name: string; readonly status: string }[]
}

describe('readiness under pnpm start', () => {
  const opened = new AsyncDisposableStack()
  let url: string
  let postgres: TestPostgres
  let control: ReturnType<typeof controlOf>
  let startedPids: Readonly<Record<string, number | undefined>>
  /** Checks of liveness that were DOWN. */
  const downAlive = new Set<string>()

  beforeAll(async () => {
    const place = opened.use(await makeSurroundings())
    postgres = opened.use(await startPostgres())
    const start = opened.use(runStart({ ...place.variables, DATABASE_URL: postgres.url }))
    await waitUntilReady(start)
    url = place.url
    control = controlOf(place.variables)
    startedPids = await pids()
    const watching = new AbortController()
    const watched = watchLiveness(watching.signal)
    opened.defer(async () => {
      watching.abort()
      await watched
    })
  })
  afterAll(() => opened.disposeAsync())

  async function watchLiveness(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const { checks } = (await (await fetch(`${url}/q/health/live`)).json()) as Report
      // A busy machine may keep a service from answering in time; that says nothing of what is away.
      const down = checks.filter((check) => check.status === 'DOWN').map((check) => JSON.stringify(check))
      for (const check of down) if (!check.includes('no answer within')) downAlive.add(check)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const pids = async () => Object.fromEntries((await control.list()).map(({ name, pid }) => [name, pid]))

  /** Waits until readiness has a status with the right checks DOWN, whose names it gives: a busy machine may show others for a moment. */
  async function downWhen(status: 200 | 503, isRight: (down: readonly string[]) => boolean = () => true) {
    return waitFor(`readiness to be ${status}`, async () => {
      const response = await fetch(`${url}/q/health/ready`)
      const { checks } = (await response.json()) as Report
      const down = checks.filter((check) => check.status === 'DOWN').map(({ name }) => name)
      return response.status === status && isRight(down) ? down : undefined
    })
  }

  it.each([
    {
      what: 'the film service',
      stop: () => control.stop('film-standin'),
      start: () => control.start('film-standin'),
      down: ['ExternalURL health check', 'movie-api'],
    },
    {
      what: 'the database',
      stop: () => postgres.stop(),
      start: () => postgres.start(),
      down: ['Database connections health check', 'movie-api'],
    },
    {
      what: 'Kafka',
      stop: () => control.stop('embedded-kafka'),
      start: () => control.start('embedded-kafka'),
      down: [
        'Kafka outgoing channel beers',
        'Kafka transform channel priced-beer',
        'Kafka incoming channel priced-beer',
        'Kafka outgoing channel event-brokers',
        'beer-generator',
        'price-generator',
        'beer-stream',
        'event-platform',
      ],
    },
  ])('is DOWN while $what is away, and UP again without a restart of anything else', async ({ stop, start, down }) => {
    await downWhen(200)
    await stop()
    try {
      await downWhen(503, (found) => isDeepStrictEqual(found.toSorted(), down.toSorted()))
      await waitFor(`the list to tell that ${down.join(', ')} are not ready`, async () => {
        const listed = await control.list()
        const notReady = listed.filter(({ state }) => state === 'not ready').map(({ name }) => name)
        return isDeepStrictEqual(
          notReady,
          down.filter((name) => listed.some((service) => service.name === name)),
        )
      })
    } finally {
      await start()
    }
    expect(await downWhen(200)).toEqual([])
    const { 'embedded-kafka': _, 'film-standin': __, ...others } = await pids()
    expect(startedPids).toMatchObject(others)
    expect([...downAlive]).toEqual([])
  })
})
