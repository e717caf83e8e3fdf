import { readFile } from 'node:fs/promises'
import {
  startPostgres,
  startProcess,
  type TestPostgres,
  type TestProcess,
  waitFor,
  waitUntilReady,
} from '@taproom/testkit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { quick } from './movie-system.ts'

const main = new URL('../src/main.ts', import.meta.url)

let postgres: TestPostgres
let remote: Awaited<ReturnType<typeof startFilmRemote>>
let admin: pg.Client
beforeAll(async () => {
  ;[postgres, remote] = await Promise.all([startPostgres(), startFilmRemote()])
  admin = new pg.Client(postgres.url)
  await admin.connect()
})
afterAll(async () => {
  await admin?.end()
  for (const resource of [postgres, remote]) await resource?.[Symbol.asyncDispose]()
})

/** An empty database and the role that owns it, of that name. */
async function createDatabase(name: string): Promise<void> {
  await admin.query(`create role ${name} login password 'old'`)
  await admin.query(`create database ${name} owner ${name}`)
}

/** The statements of cluster.md: how a second role is made, and how the first one ends; `movie-api` is `name`. */
async function documentedSql(name: string): Promise<readonly string[]> {
  const page = await readFile(new URL('../../../deploy/cluster.md', import.meta.url), 'utf8')
  return [...page.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll('"movie-api"', name).replaceAll('movie_api', name).replace("'NEW'", "'new'"),
  )
}

const urlOf = (database: string, username: string, password: string) =>
  Object.assign(new URL(postgres.url), { pathname: `/${database}`, username, password }).href

const start = (databaseUrl: string, env: Readonly<Record<string, string>> = {}) =>
  startProcess(main, { ...quick, LOG_LEVEL: 'info', FILM_SERVICE_URL: remote.url, DATABASE_URL: databaseUrl, ...env })

/** The replicas that take requests, which clients ask in turn and without a pause. */
function startClients() {
  const urls: string[] = []
  const answers = new Map<string, number>()
  const stop = new AbortController()
  let turn = 0
  async function ask(): Promise<void> {
    turn += 1
    const url = urls[turn % urls.length]
    // Over a connection of its own: one that is kept may be closed at the moment it is used.
    const answer = await fetch(`${url}/movie`, { headers: { connection: 'close' } }).then(
      async (response) => `${response.status} of ${((await response.json()) as unknown[]).length} films`,
      (error: Error) => `${error.message}: ${error.cause}`,
    )
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }
  const total = () => [...answers.values()].reduce((sum, number) => sum + number, 0)
  let clients: Promise<void>[] = []
  return {
    answers,
    async add(replica: TestProcess) {
      const url = await replica.url()
      await waitUntilReady(url)
      urls.push(url)
      if (clients.length > 0) return
      clients = [1, 2, 3, 4].map(async () => {
        while (!stop.signal.aborted) await ask()
      })
    },
    /** No new request goes to it; those in flight are its own to finish. */
    async remove(replica: TestProcess) {
      urls.splice(urls.indexOf(await replica.url()), 1)
      expect(await replica.stop()).toBe(0)
    },
    async someRequests() {
      const before = total()
      await waitFor('forty requests', () => total() >= before + 40)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(clients)
    },
  }
}

describe('several replicas on one PostgreSQL', () => {
  it('start at once on an empty database, which is migrated once', async () => {
    await admin.query('create database crowd')
    const url = Object.assign(new URL(postgres.url), { pathname: '/crowd' }).href
    await using replicas = new AsyncDisposableStack()
    const started = [1, 2, 3].map(() => replicas.use(start(url)))
    for (const replica of started) {
      await waitUntilReady(await replica.url())
      expect(await (await fetch(`${await replica.url()}/movie`)).json()).toEqual(withRemote)
    }
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query('select name, batch from knex_migrations order by id')
    await client.end()
    expect(rows).toEqual([
      { name: '0001_create_films', batch: 1 },
      { name: '0002_seed_films', batch: 1 },
    ])
  })

  it('deploy/cluster.md: are replaced by others with a second role, and no request fails', async () => {
    const [makeSecond = '', endFirst = '', ...others] = await documentedSql('rotated')
    expect(others).toEqual([])
    await createDatabase('rotated')
    const [before, after] = [urlOf('rotated', 'rotated', 'old'), urlOf('rotated', 'rotated_2', 'new')]
    await using replicas = new AsyncDisposableStack()
    const old = [replicas.use(start(before)), replicas.use(start(before))]
    await using clients = startClients()
    for (const replica of old) await clients.add(replica)
    await clients.someRequests()

    await admin.query(makeSecond)
    for (const replica of old) {
      await clients.add(replicas.use(start(after)))
      await clients.remove(replica)
      await clients.someRequests()
    }
    const { rows } = await admin.query(`select usename from pg_stat_activity where datname = 'rotated'`)
    expect(new Set(rows.map(({ usename }) => usename))).toEqual(new Set(['rotated_2']))
    await admin.query(endFirst)
    await clients.someRequests()
    expect([...clients.answers.keys()]).toEqual(['200 of 6 films'])
    await expect(new pg.Client(before).connect()).rejects.toThrow('not permitted to log in')
    const tables = await admin.query(
      `select pg_get_userbyid(datdba) as owner from pg_database where datname = 'rotated'`,
    )
    expect(tables.rows).toEqual([{ owner: 'rotated' }])
  })

  it('deploy/cluster.md: with another password for the same role keep their connections, and open no more', async () => {
    await createDatabase('altered')
    const url = urlOf('altered', 'altered', 'old')
    await using migrating = start(url)
    await waitUntilReady(await migrating.url())
    await using replica = start(url, { DATABASE_MIGRATE_AT_START: 'false' })
    await waitUntilReady(await replica.url())
    await admin.query(`alter role altered password 'new'`)
    const status = async (of: TestProcess) => {
      const response = await fetch(`${await of.url()}/movie`)
      await response.arrayBuffer()
      return response.status
    }
    /** Of many at once, again until they have wanted a connection more: the one that is there may be fast enough for a while. */
    const manyStatuses = async (of: TestProcess) => {
      const seen = new Set<number>()
      for (let round = 0; round < 50 && !seen.has(503); round += 1) {
        for (const one of await Promise.all(Array.from({ length: 40 }, () => status(of)))) seen.add(one)
      }
      return seen
    }
    expect(await status(replica)).toBe(200)
    expect(await manyStatuses(replica)).toEqual(new Set([200, 503]))
    expect(await status(replica)).toBe(200)
    expect(await status(migrating)).toBe(200)
    expect(await manyStatuses(migrating)).toContain(503)
    expect(await status(migrating)).toBe(503)
  })
})
