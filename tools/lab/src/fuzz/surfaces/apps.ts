import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { startBeerStandin, startFilmStandin } from '@taproom/standins'
import { freePort } from '@taproom/testkit'
import { APPS, type App, mainOf } from '../../harness/apps.ts'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget, type HttpTargetOptions } from '../servers/http-target.ts'
import type { OpenServers } from '../servers/server-target.ts'
import { onStage, type Stage } from '../servers/stage.ts'
import { answered } from '../servers/watched-process.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'

/** A GET with these headers. */
export function get(path: string, ...headers: NonNullable<Example['headers']>): Example {
  return { method: 'GET', path, headers }
}

/** A GET of the one protected resource. */
export function claimWith(authorization: string): Example {
  return get('/secure/claim', ['Authorization', authorization])
}

/** Every service answers this as long as it lives. */
export const LIVE = { request: get('/q/health/live'), status: 200, body: '{' }
const MANAGEMENT = '/q/health /q/health/ready /q/health/started /q/health/well /q/metrics /q/health-ui/'
  .split(' ')
  .map((path) => get(path))

interface AppOptions extends Pick<HttpTargetOptions, 'example' | 'plain' | 'shapes' | 'forgedClaim'> {
  readonly env: Readonly<Record<string, string>>
  readonly expectations?: HttpTargetOptions['expectations']
}

/** An app on its own, after what it needs. */
function appSurface(app: App, prepare: (stage: Stage) => Promise<AppOptions>): OpenServers {
  return onStage(async (stage) => {
    const { env, expectations = [], ...options } = await prepare(stage)
    const port = await freePort()
    const { errors } = stage.start(mainOf(app), { ...env, PORT: String(port) })
    await answered(`http://127.0.0.1:${port}${LIVE.request.path}`)
    return createHttpTarget({ ...options, port, errors, expectations: [LIVE, ...expectations] }, stage.opened)
  })
}

const FORGED = 'forged-caller'

const claims = appSurface(APPS.claims, async () => {
  const issuer = await createDevIssuer()
  const token = await issuer.sign({ user: 'duke', expiresInSeconds: 86_400 })
  const claim = claimWith(`Bearer ${token}`)
  // More of them than are checked on the event loop.
  const forged = await forgedTokens(issuer.issuer)
  const odd = [claimWith(`bearer  ${token},`), claimWith('Basic eDp5'), get('/secure/claim')]
  const examples = [claim, claim, ...odd, get('/q/openapi?format=json'), ...MANAGEMENT]
  return {
    env: { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer },
    example: (random) => (random.chance(0.3) ? claimWith(`Bearer ${random.pick(forged)}`) : random.pick(examples)),
    plain: claim,
    forgedClaim: FORGED,
    expectations: [
      { request: get('/secure/claim'), status: 401 },
      { request: claim, status: 200, body: 'duke' },
    ],
  }
})

/** Tokens of another issuer by the same name, and without signature. */
async function forgedTokens(issuer: string): Promise<readonly string[]> {
  const other = await createDevIssuer({ issuer })
  const claims = { user: FORGED, expiresInSeconds: 86_400 }
  const tokens = await Promise.all(Array.from({ length: 3 }, () => other.sign(claims)))
  const [unsigned = ''] = tokens.map((token) => token.slice(0, token.lastIndexOf('.') + 1))
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  return [...tokens, unsigned, `${none}${unsigned.slice(unsigned.indexOf('.'))}`]
}

const films = appSurface(APPS.films, async ({ folder, opened }) => {
  const standIn = opened.use(await startFilmStandin())
  const years = ['1980', '1977&year=1980', '1e3', '-1', '99999999999999999999']
  const movies = [...years.map((year) => `/movie?year=${year}`), '/movie', '/q/openapi'].map((path) => get(path))
  const plain = get('/movie?year=1980')
  return {
    env: { DATABASE_URL: `sqlite:${join(folder, 'films.sqlite')}`, FILM_SERVICE_URL: standIn.url },
    example: (random) => random.pick([...movies, ...MANAGEMENT]),
    plain,
    expectations: [{ request: plain, status: 200, body: '[' }],
  }
})

/** One of the three apps that beers go through. */
function beerApp(app: App, ...examples: readonly Example[]): OpenServers {
  return appSurface(app, async ({ startKafka, opened }) => {
    const { port } = await startKafka()
    const beers = opened.use(await startBeerStandin())
    return {
      env: { KAFKA_BOOTSTRAP_SERVERS: `127.0.0.1:${port}`, BEER_SERVICE_URL: beers.url },
      example: (random) => random.pick([...examples, ...MANAGEMENT]),
      plain: examples[0] ?? LIVE.request,
    }
  })
}

function sink(app: App): OpenServers {
  return appSurface(app, async () => ({
    env: {},
    example: (random) => (random.chance(0.9) ? eventExample('/')(random) : random.pick(MANAGEMENT)),
    plain: eventAt('/'),
    shapes: eventShapes('/'),
    expectations: [{ request: eventAt('/'), status: 200 }],
  }))
}

/** The apps on their own, by their names. */
export const APP_SURFACES: Readonly<Record<string, OpenServers>> = {
  [APPS.claims]: claims,
  [APPS.films]: films,
  [APPS.stream]: beerApp(
    APPS.stream,
    get('/beer/all', ['Accept', 'application/json']),
    get('/beer/all'),
    get('/beer', ['Last-Event-ID', '0-0']),
    get('/beer', ['Last-Event-ID', '99999999999999999999']),
  ),
  [APPS.beers]: beerApp(APPS.beers),
  [APPS.prices]: beerApp(APPS.prices),
  [APPS.aloha]: sink(APPS.aloha),
  [APPS.bonjour]: sink(APPS.bonjour),
}
