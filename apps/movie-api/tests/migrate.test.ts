import { migrate } from '@taproom/database'
import { startProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { filmMigrations } from '../src/film-migrations.ts'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { startMovie, temporaryFolder } from './movie-system.ts'

const migrateMain = new URL('../src/migrate-main.ts', import.meta.url)

describe('migrating once per release', () => {
  it('migrates and seeds, again without harm, and ends with 0', async () => {
    await using folder = await temporaryFolder()
    await using remote = await startFilmRemote()
    const env = { DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url }
    const ran = Object.keys(filmMigrations).flatMap(() => ['migration runs', 'migration ran'])
    for (const [release, lines] of [
      ['first', ran],
      ['next', []],
    ] as const) {
      await using job = startProcess(migrateMain, env)
      expect(await job.end(), release).toBe(0)
      expect(job.lines.map(({ msg }) => msg)).toEqual([...lines, 'movie-api database is up to date'])
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

    const log = { info() {}, warn() {}, error() {} }
    await migrate({ kind: 'sqlite', file: `${folder.path}/films.sqlite` }, filmMigrations, { log })
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
})
