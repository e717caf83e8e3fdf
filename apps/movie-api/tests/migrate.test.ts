import { connect, createServer } from 'node:net'
import { freePort, startPostgres, startProcess, type TestPostgres, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { startMovie, temporaryFolder } from './movie-system.ts'

const migrateMain = new URL('../src/migrate-main.ts', import.meta.url)

describe('migrating once per release', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.[Symbol.asyncDispose]())

  it('migrates and seeds, again without harm, and ends with 0', async () => {
    await using folder = await temporaryFolder()
    await using remote = await startFilmRemote()
    const env = { DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url }
    for (const release of ['first', 'next']) {
      await using job = startProcess(migrateMain, env)
      expect(await job.end(), release).toBe(0)
      expect(job.lines.map(({ msg }) => msg)).toEqual(['movie-api database is up to date'])
    }
    await using api = await startMovie({ ...env, DATABASE_MIGRATE_AT_START: 'false' })
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })

  it('a service that does not migrate is not ready until the database is migrated, and then without a restart', async () => {
    await using folder = await temporaryFolder()
    await using remote = await startFilmRemote()
    const env = { DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url }
    await using api = await startMovie({ ...env, DATABASE_MIGRATE_AT_START: 'false' })
    expect((await api.get('/q/health/ready')).status).toBe(503)
    expect((await api.get('/movie')).status).toBe(503)

    await using job = startProcess(migrateMain, env)
    expect(await job.end()).toBe(0)
    await waitFor('readiness', async () => (await api.get('/q/health/ready')).status === 200)
    expect((await api.get('/movie')).status).toBe(200)
  })

  it('ends with 1 and says why when the database is away, so that it is run again', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:9/films', DATABASE_MIGRATE_WAIT_MS: '0' }
    await using job = startProcess(migrateMain, env)
    expect(await job.end()).toBe(1)
    expect(job.errors.join()).toContain('movie-api failed to migrate its database')
    expect(job.lines).toEqual([])
  })

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
