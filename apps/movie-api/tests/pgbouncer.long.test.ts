import { startPgBouncer, startPostgres, startProcess, waitFor, waitUntilReady } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { quick } from './movie-system.ts'

const main = new URL('../src/main.ts', import.meta.url)

/** Asks the replicas in turn, 100 times a second, and counts answers by the phase in which they were asked for. */
function startRequests(urls: readonly string[]) {
  const phases = new Map<string, Map<string, number>>()
  const pending = new Set<Promise<void>>()
  let counts = new Map<string, number>()
  let turn = 0
  let goodInARow = 0
  async function ask(into: Map<string, number>): Promise<void> {
    turn += 1
    // Over a connection of its own: one that is kept may be closed at the moment it is used.
    const answer = await fetch(`${urls[turn % urls.length]}/movie`, { headers: { connection: 'close' } }).then(
      async (response) => `${response.status} of ${((await response.json()) as unknown[]).length ?? 0} films`,
      (error: Error) => String(error.cause),
    )
    into.set(answer, (into.get(answer) ?? 0) + 1)
    goodInARow = answer === `200 of ${withRemote.length} films` ? goodInARow + 1 : 0
  }
  const timer = setInterval(() => {
    const asked = ask(counts)
    pending.add(asked)
    void asked.finally(() => pending.delete(asked))
  }, 10)
  return {
    phases,
    begin(name: string) {
      counts = new Map()
      phases.set(name, counts)
    },
    async untilGood(inARow: number) {
      goodInARow = 0
      await waitFor(`${inARow} good answers in a row`, () => goodInARow >= inARow)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

it('deploy/scaling.md: 100 requests a second through PgBouncer, which restarts, and replicas that are replaced', {
  tags: 'pgbouncer',
}, async () => {
  await using postgres = await startPostgres()
  await using pooler = await startPgBouncer(postgres.url)
  await using remote = await startFilmRemote()
  await using started = new AsyncDisposableStack()
  const env = { ...quick, LOG_LEVEL: 'info', FILM_SERVICE_URL: remote.url, DATABASE_URL: pooler.url }
  const start = async () => {
    const replica = started.use(startProcess(main, env))
    await waitUntilReady(await replica.url())
    return replica
  }
  const [first, second] = await Promise.all([start(), start()])
  const urls = [await first.url(), await second.url()]
  await using requests = startRequests(urls)
  requests.begin('steady')
  await requests.untilGood(500)
  requests.begin('PgBouncer restarts')
  await pooler.restart()
  await requests.untilGood(100)
  requests.begin('a replica is replaced')
  const third = await start()
  urls[0] = await third.url()
  expect(await first.stop()).toBe(0)
  await requests.untilGood(500)
  const counted = Object.fromEntries([...requests.phases].map(([phase, counts]) => [phase, Object.fromEntries(counts)]))
  console.log(counted)
  const good = { [`200 of ${withRemote.length} films`]: expect.any(Number) }
  expect(counted).toMatchObject({ steady: good, 'a replica is replaced': good })
  expect(Object.keys(counted['PgBouncer restarts'] ?? {}).filter((answer) => !/^(200|503) /.test(answer))).toEqual([])
  for (const phase of ['steady', 'a replica is replaced']) expect(Object.keys(counted[phase] ?? {})).toHaveLength(1)
})
