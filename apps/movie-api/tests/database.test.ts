import { connect, createServer } from 'node:net'
import { type DatabaseConfig, type Migrations, migrate } from '@taproom/database'
import { freePort, startPostgres, startProcess, startTcpProxy, waitFor } from '@taproom/testkit'
import createKnex from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filmMigrations } from '../src/film-migrations.ts'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { startMovie, temporaryFolder } from './movie-system.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let remote: Awaited<ReturnType<typeof startFilmRemote>>
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  ;[postgres, remote, folder] = await Promise.all([startPostgres(), startFilmRemote(), temporaryFolder()])
})
afterAll(async () => {
  for (const resource of [postgres, remote, folder]) await resource?.[Symbol.asyncDispose]()
})

const log = { info() {}, warn() {}, error() {} }
const startApi = (databaseUrl: string) => startMovie({ DATABASE_URL: databaseUrl, FILM_SERVICE_URL: remote.url })
const migrateMain = new URL('../src/migrate-main.ts', import.meta.url)
const databaseOf = (url: string): DatabaseConfig =>
  url.startsWith('sqlite:') ? { kind: 'sqlite', file: url.slice('sqlite:'.length) } : { kind: 'postgres', url }
const sqliteUrl = (name: string) => `sqlite:${folder.path}/${name}/films.sqlite`

/** Creates the test's database when it is missing. */
async function postgresUrl(name: string): Promise<string> {
  const knex = createKnex({ client: 'pg', connection: postgres.url })
  const { rows } = await knex.raw('select 1 from pg_database where datname = ?', [name])
  if (rows.length === 0) await knex.raw('create database ??', [name])
  await knex.destroy()
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
}

describe.each(['SQLite', 'PostgreSQL'])('%s', (kind) => {
  const databaseUrl = async (name: string) => (kind === 'SQLite' ? sqliteUrl(name) : postgresUrl(name))

  it('is migrated and seeded at the first start, and left as it is at the next', async () => {
    const url = await databaseUrl('seeded')
    for (const start of ['first', 'next']) {
      await using api = await startApi(url)
      expect(await (await api.get('/movie')).json(), start).toEqual(withRemote)
    }
  })

  describe('with the films of the seed', () => {
    let api: Awaited<ReturnType<typeof startApi>>
    beforeAll(async () => {
      api = await startApi(await databaseUrl('years'))
    })
    afterAll(() => api?.[Symbol.asyncDispose]())

    it.each([
      ['1977', [0]],
      ['1980', [1]],
      ['2005', [5]],
      ['1981', []],
      ['1', []],
      ['9999', []],
      ['0', []],
      ['-1980', []],
    ])('year=%s gives the same answer on every database', async (year, indexes) => {
      expect(await (await api.get(`/movie?year=${year}`)).json()).toEqual(indexes.map((index) => withRemote[index]))
    })
  })

  it('takes the first and the last day of a year into account, whatever the time zone', async () => {
    const url = await databaseUrl('days')
    await using api = await startApi(url)
    await api.get('/movie')
    const knex = createKnex(
      kind === 'SQLite'
        ? {
            client: 'better-sqlite3',
            connection: { filename: `${folder.path}/days/films.sqlite` },
            useNullAsDefault: true,
          }
        : { client: 'pg', connection: url },
    )
    try {
      await knex('films').insert([
        { id: 7, title: 'First day', release_date: '2011-01-01' },
        { id: 8, title: 'Last day', release_date: '2011-12-31' },
      ])
      const films = (await (await api.get('/movie?year=2011')).json()) as { title: string; releaseDate: string }[]
      expect(films.map(({ title, releaseDate }) => [title, releaseDate])).toEqual([
        ['First day', '2011-01-01'],
        ['Last day', '2011-12-31'],
      ])
    } finally {
      await knex('films').where('id', '>', 6).delete()
      await knex.destroy()
    }
  })

  it('of the migrations of a version before is brought up to date', async () => {
    const url = await databaseUrl('before')
    const [[name = '', first] = []] = Object.entries(filmMigrations)
    if (first === undefined) throw new Error('no migration')
    await migrate(databaseOf(url), { [name]: first }, { log })
    await using api = await startApi(url)
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })

  it('decisions 3.129: with the schema of a version after it answers as before, and is migrated without harm', async () => {
    const url = await databaseUrl('after')
    const addRating: Migrations = {
      '0003_add_rating': {
        up: (knex) => knex.schema.alterTable('films', (table) => void table.integer('rating')),
        down: (knex) => knex.schema.alterTable('films', (table) => void table.dropColumn('rating')),
      },
    }
    await using before = await startApi(url)
    await before.get('/movie')
    await migrate(databaseOf(url), { ...filmMigrations, ...addRating }, { log })
    await using restarted = await startApi(url)
    for (const api of [before, restarted]) {
      expect(await (await api.get('/movie')).json()).toEqual(withRemote)
      expect((await api.get('/q/health/ready')).status).toBe(200)
    }
    await migrate(databaseOf(url), filmMigrations, { log })
  })

  it('two instances may start on a new database at once', async () => {
    const url = await databaseUrl('two')
    const apis = await Promise.all([startApi(url), startApi(url)])
    try {
      for (const api of apis) expect(await (await api.get('/movie')).json()).toEqual(withRemote)
    } finally {
      for (const api of apis) await api[Symbol.asyncDispose]()
    }
  })
})

describe('PostgreSQL', () => {
  it('away at the start, then there, gone and back: 503 and readiness DOWN meanwhile, no restart', async () => {
    await postgres.stop()
    await using api = await startApi(postgres.url)
    const isAway = async () => {
      const [movie, ready, live] = await Promise.all(
        ['/movie', '/q/health/ready', '/q/health/live'].map((path) => api.get(path)),
      )
      expect(movie?.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(await movie?.text()).not.toMatch(/postgres|ECONN|127\.0\.0\.1/)
      return movie?.status === 503 && ready?.status === 503 && live?.status === 200
    }
    const isThere = async () => {
      const [movie, ready] = await Promise.all([api.get('/movie'), api.get('/q/health/ready')])
      return movie.status === 200 && ready.status === 200
    }
    expect(await isAway()).toBe(true)
    await postgres.start()
    await waitFor('the database is used', isThere)
    await postgres.stop()
    await waitFor('the database to be missed', isAway)
    await postgres.start()
    await waitFor('the database is used again', isThere)
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })
})

describe('migrating once per release', () => {
  it('decisions 3.130: waits for a database that cannot be reached yet', async () => {
    const port = await freePort()
    const url = new URL(postgres.url)
    const there = { host: url.hostname, port: Number(url.port) }
    url.host = `127.0.0.1:${port}`
    await using job = startProcess(migrateMain, { DATABASE_URL: url.href })
    const isWaiting = () => job.lines.some(({ msg }) => msg === 'the database cannot be reached, waiting for it')
    await waitFor('the wait', isWaiting)
    const door = createServer((client) => {
      const server = connect(there)
      // What was still on its way when the job ended.
      for (const socket of [client, server]) socket.on('error', () => socket.destroy())
      client.pipe(server).pipe(client)
    })
    door.listen(port, '127.0.0.1')
    try {
      expect(await job.end()).toBe(0)
      expect(job.lines.map(({ msg }) => msg).at(-1)).toBe('movie-api database is up to date')
    } finally {
      door.close()
    }
  })

  it('decisions 3.166: waits for no database that refuses a migration, and says which', async () => {
    const url = await postgresUrl('refusing')
    await migrate(
      databaseOf(url),
      {
        '0000_of_others': {
          up: (knex) => knex.schema.createTable('films', () => undefined),
          down: async () => undefined,
        },
      },
      { table: 'migrations_of_others', log },
    )
    await using job = startProcess(migrateMain, { DATABASE_URL: url, DATABASE_MIGRATE_WAIT_MS: '3600000' })
    expect(await job.end()).toBe(1)
    expect(job.lines).toMatchObject([
      { msg: 'migration runs', migration: '0001_create_films' },
      { msg: 'migration failed', migration: '0001_create_films', err: { code: '42P07' } },
    ])
  })

  it('waits for no database that refuses it', async () => {
    const url = new URL(postgres.url)
    url.password = 'wrong'
    url.username = 'nobody'
    // If it waited, it would for an hour.
    await using job = startProcess(migrateMain, { DATABASE_URL: url.href, DATABASE_MIGRATE_WAIT_MS: '3600000' })
    expect(await job.end()).toBe(1)
    expect(job.errors.join()).toContain('movie-api failed to migrate its database')
  })
})

describe('PostgreSQL on a busy machine', () => {
  it('may take three seconds for a connection', async () => {
    const direct = await postgresUrl('busy')
    await (await startApi(direct))[Symbol.asyncDispose]()
    await using proxy = await startTcpProxy(new URL(postgres.url), { connectMs: 3000 })
    await using api = await startApi(Object.assign(new URL(direct), { port: proxy.port }).href)
    const answer = await api.get('/movie')
    expect([answer.status, await answer.json()]).toEqual([200, withRemote])
  })
})

describe('PostgreSQL behind a network that loses everything', () => {
  it('answers 503 in a bounded time, then works again over new connections', async () => {
    await using proxy = await startTcpProxy(new URL(postgres.url))
    const direct = await postgresUrl('lost')
    await (await startApi(direct))[Symbol.asyncDispose]()
    const url = Object.assign(new URL(direct), { port: proxy.port, search: '?query_timeout=300' })
    await using api = await startApi(url.href)
    await waitFor('films', async () => (await api.get('/movie')).status === 200)
    proxy.loseEverything(true)
    expect((await api.get('/movie')).status).toBe(503)
    expect((await api.get('/q/health/ready')).status).toBe(503)
    expect((await api.get('/q/health/live')).status).toBe(200)
    proxy.loseEverything(false)
    const films = await waitFor('the database is used again', async () => {
      const answer = await api.get('/movie')
      return answer.status === 200 && (await answer.json())
    })
    expect(films).toEqual(withRemote)
  })
})
