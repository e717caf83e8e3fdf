import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { waitFor } from '@taproom/testkit'
import createKnex from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withRemote } from './expected-films.ts'
import { startFilmRemote } from './film-remote.ts'
import { startMovie, temporaryFolder } from './movie-system.ts'

let remote: Awaited<ReturnType<typeof startFilmRemote>>
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  ;[remote, folder] = await Promise.all([startFilmRemote(), temporaryFolder()])
})
afterAll(async () => {
  for (const resource of [remote, folder]) await resource?.[Symbol.asyncDispose]()
})

const startApi = (databaseUrl: string) => startMovie({ DATABASE_URL: databaseUrl, FILM_SERVICE_URL: remote.url })

describe('SQLite', () => {
  it('is a file in a folder that is made when missing, in WAL mode', async () => {
    await using api = await startApi(`sqlite:${folder.path}/deep/er/films.sqlite`)
    await api.get('/movie')
    expect(existsSync(`${folder.path}/deep/er/films.sqlite-wal`)).toBe(true)
  })

  it('a file that is no database is 503 and readiness DOWN until it is put right', async () => {
    const file = `${folder.path}/broken.sqlite`
    await writeFile(file, 'this is no database, and it is long enough to be read as one'.repeat(50))
    await using api = await startApi(`sqlite:${file}`)
    expect([(await api.get('/movie')).status, (await api.get('/q/health/ready')).status]).toEqual([503, 503])
    await rm(file)
    await waitFor('the database is used', async () => (await api.get('/q/health/ready')).status === 200)
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })

  it('a file that was moved away is noticed by readiness, and created again', async () => {
    const file = `${folder.path}/moved.sqlite`
    await using api = await startApi(`sqlite:${file}`)
    await api.get('/movie')
    await rename(file, `${file}.old`)
    expect((await api.get('/q/health/ready')).status).toBe(503)
    await waitFor('a new file', async () => (await api.get('/q/health/ready')).status === 200)
    expect(existsSync(file)).toBe(true)
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })

  it('a migration lock left by a killed process does not stop the next start for ever', async () => {
    const file = `${folder.path}/locked.sqlite`
    {
      await using api = await startApi(`sqlite:${file}`)
      await api.get('/movie')
    }
    const knex = createKnex({ client: 'better-sqlite3', connection: { filename: file }, useNullAsDefault: true })
    await knex('knex_migrations').delete()
    await knex.schema.dropTable('films')
    await knex('knex_migrations_lock').update({ is_locked: 1 })
    await knex.destroy()
    await using api = await startApi(`sqlite:${file}`)
    expect(await (await api.get('/movie')).json()).toEqual(withRemote)
  })
})
