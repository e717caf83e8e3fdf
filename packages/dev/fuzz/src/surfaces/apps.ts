import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { startBeerStandin, startFilmStandin } from '@taproom/standins'
import { freePort } from '@taproom/testkit'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget, type HttpTargetOptions } from '../servers/http-target.ts'
import type { OpenServers, ServerTarget } from '../servers/server-target.ts'
import { openWatch, type Watch } from '../servers/watch.ts'
import { answered, startWatched } from '../servers/watched-process.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'

const LIVE: Example = { method: 'GET', path: '/q/health/live' }
const MANAGEMENT: readonly Example[] = [
  '/q/health',
  '/q/health/ready',
  '/q/health/started',
  '/q/health/well',
  '/q/metrics',
  '/q/health-ui/',
].map((path) => ({ method: 'GET', path }))

/** The parts that differ between apps. */
interface AppOptions extends Pick<HttpTargetOptions, 'example' | 'plain' | 'shapes'> {
  readonly app: string
  readonly env: Readonly<Record<string, string>>
  readonly expectations?: HttpTargetOptions['expectations']
}

/** Starts an app and makes it a target; resources opened for it before are closed after it. */
async function openApp(
  { app, env, expectations = [], ...options }: AppOptions,
  watch: Watch,
  opened: AsyncDisposableStack,
): Promise<ServerTarget> {
  const port = await freePort()
  const process = opened.use(startWatched(`apps/${app}/src/main.ts`, { ...watch.env, ...env, PORT: String(port) }))
  await answered(`http://127.0.0.1:${port}${LIVE.path}`)
  const resources = opened.move()
  return createHttpTarget({
    ...options,
    port,
    watch,
    expectations: [{ request: LIVE, status: 200, body: '{' }, ...expectations],
    errors: process.errors,
    close: () => resources.disposeAsync(),
  })
}

export const openClaimApi: OpenServers = async (folder) => {
  await using opened = new AsyncDisposableStack()
  const watch = opened.use(await openWatch(folder))
  const issuer = await createDevIssuer()
  const token = await issuer.sign({ user: 'duke', expiresInSeconds: 86_400 })
  const claim = (value?: string): Example => ({
    method: 'GET',
    path: '/secure/claim',
    ...(value !== undefined && { headers: [['Authorization', value]] }),
  })
  return await openApp(
    {
      app: 'claim-api',
      env: { MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer.issuer },
      example: (random) =>
        random.pick([
          claim(`Bearer ${token}`),
          claim(`Bearer ${token}`),
          claim(`bearer  ${token},`),
          claim('Basic eDp5'),
          claim(),
          ...MANAGEMENT,
          { method: 'GET', path: '/q/openapi?format=json' },
        ]),
      plain: claim(`Bearer ${token}`),
      expectations: [
        { request: claim(), status: 401 },
        { request: claim(`Bearer ${token}`), status: 200, body: 'duke' },
      ],
    },
    watch,
    opened,
  )
}

export const openMovieApi: OpenServers = async (folder) => {
  await using opened = new AsyncDisposableStack()
  const watch = opened.use(await openWatch(folder))
  const films = opened.use(await startFilmStandin())
  const movies = (year: string): Example => ({ method: 'GET', path: `/movie?year=${year}` })
  return await openApp(
    {
      app: 'movie-api',
      env: { DATABASE_URL: `sqlite:${join(folder, 'films.sqlite')}`, FILM_SERVICE_URL: films.url },
      example: (random) =>
        random.pick([
          movies('1980'),
          movies('1977&year=1980'),
          movies('1e3'),
          movies('-1'),
          movies('99999999999999999999'),
          { method: 'GET', path: '/movie' },
          ...MANAGEMENT,
          { method: 'GET', path: '/q/openapi' },
        ]),
      plain: movies('1980'),
      expectations: [{ request: movies('1980'), status: 200, body: '[' }],
    },
    watch,
    opened,
  )
}

async function startKafka(watch: Watch, opened: AsyncDisposableStack): Promise<string> {
  const port = await freePort()
  opened.use(startWatched('packages/dev/embedded-kafka/src/main.ts', { ...watch.env, KAFKA_PORT: String(port) }))
  return `127.0.0.1:${port}`
}

/** One of the three apps that beers go through. */
function openBeerApp(app: string, examples: readonly Example[]): OpenServers {
  return async (folder) => {
    await using opened = new AsyncDisposableStack()
    const watch = opened.use(await openWatch(folder))
    const kafka = await startKafka(watch, opened)
    const beers = opened.use(await startBeerStandin())
    const plain = examples[0] ?? LIVE
    return await openApp(
      {
        app,
        env: { KAFKA_BOOTSTRAP_SERVERS: kafka, BEER_SERVICE_URL: beers.url },
        example: (random) => random.pick([...examples, ...MANAGEMENT]),
        plain,
      },
      watch,
      opened,
    )
  }
}

export const openBeerGenerator = openBeerApp('beer-generator', [])
export const openPriceGenerator = openBeerApp('price-generator', [])
export const openBeerStream = openBeerApp('beer-stream', [
  { method: 'GET', path: '/beer/all', headers: [['Accept', 'application/json']] },
  { method: 'GET', path: '/beer/all' },
  { method: 'GET', path: '/beer', headers: [['Last-Event-ID', '0-0']] },
  { method: 'GET', path: '/beer', headers: [['Last-Event-ID', '99999999999999999999']] },
])

/** A sink on its own. */
function openSink(app: string): OpenServers {
  return async (folder) => {
    await using opened = new AsyncDisposableStack()
    const watch = opened.use(await openWatch(folder))
    return await openApp(
      {
        app,
        env: {},
        example: (random) => (random.chance(0.9) ? eventExample('/')(random) : random.pick(MANAGEMENT)),
        plain: eventAt('/'),
        shapes: eventShapes('/'),
        expectations: [{ request: eventAt('/'), status: 200 }],
      },
      watch,
      opened,
    )
  }
}

export const openAlohaSink = openSink('aloha-sink')
export const openBonjourSink = openSink('bonjour-sink')
