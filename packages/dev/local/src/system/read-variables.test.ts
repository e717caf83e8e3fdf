import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StartError } from '../supervisor/start-error.ts'
import { readVariables } from './read-variables.ts'

const everyone = ['film-standin', 'beer-standin', 'claim-api', 'movie-api', 'beer-generator']

describe('readVariables', () => {
  async function problems(env: Record<string, string>) {
    const error = await readVariables(env, '/project').catch((caught: unknown) => caught)
    return error instanceof StartError ? error.problems : []
  }

  it('gives the configuration when nothing is wrong, also with the standard variables', async () => {
    expect((await readVariables({}, '/project')).stateDir).toBe('/project/.taproom')
  })

  it("tells what is wrong with its own variables, the services' and their files, each once with whose it is", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-variables-'))
    const data = join(folder, 'beers.json')
    await writeFile(data, '[{"id":1}]')
    const found = await problems({
      KUBE_PORT: 'abc',
      SHUTDOWN_GRACE_MS: 'soon',
      PRICE_MIN: 'abc',
      BEER_INTERVAL_MS: '0',
      FILM_RETRY_MAX_RETRIES: '-5',
      BEER_STANDIN_DATA: data,
      MANIFESTS: join(folder, 'none'),
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: join(folder, 'none.pem'),
      MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
    })
    await rm(folder, { recursive: true })
    const told = Object.fromEntries(found.map(({ text, services }) => [/^[\w.]*/.exec(text)?.[0], services]))
    expect(told).toEqual({
      KUBE_PORT: ['pnpm start'],
      SHUTDOWN_GRACE_MS: expect.arrayContaining(['pnpm start', ...everyone]),
      PRICE_MIN: ['price-generator'],
      BEER_INTERVAL_MS: ['beer-generator'],
      FILM_RETRY_MAX_RETRIES: ['movie-api'],
      BEER_STANDIN_DATA: ['beer-standin'],
      MANIFESTS: ['event-platform'],
      'mp.jwt.verify.publickey.location': ['claim-api'],
    })
  })

  it('tells a missing issuer and an unreadable key at once', async () => {
    const found = await problems({ MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/nowhere/key.pem' })
    expect(found.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^MP_JWT_VERIFY_ISSUER: is not set/),
      expect.stringContaining('/nowhere/key.pem'),
    ])
  })

  it('says that an issuer, or production mode, is why there is no development key', async () => {
    const why = async (env: Record<string, string>) => (await problems(env)).map(({ text }) => text)
    const variable = 'MP_JWT_VERIFY_PUBLICKEY_LOCATION: is not set'
    expect(await why({ MP_JWT_VERIFY_ISSUER: 'https://issuer.example' })).toEqual([
      `${variable}, and MP_JWT_VERIFY_ISSUER switched the development key off: set it to the key of that issuer, or unset MP_JWT_VERIFY_ISSUER`,
    ])
    expect(await why({ NODE_ENV: 'production' })).toEqual([
      `${variable}, and no development key is made in production mode: set it, or unset NODE_ENV (production)`,
    ])
  })

  it('does not look at the data of a stand-in that does not run', async () => {
    const none = { FILM_STANDIN_DATA: '/nowhere', FILM_SERVICE_URL: 'https://films.example' }
    expect(await problems(none)).toEqual([])
  })

  it('says in production mode that a key is missing, and whose the other variables are', async () => {
    const found = await problems({ NODE_ENV: 'production', PRICE_MIN: 'abc' })
    expect(found.map(({ services }) => services)).toEqual([['pnpm start'], ['price-generator']])
  })
})
