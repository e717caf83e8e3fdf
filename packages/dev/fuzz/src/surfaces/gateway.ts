import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { freePort } from '@taproom/testkit'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget } from '../servers/http-target.ts'
import type { OpenServers } from '../servers/server-target.ts'
import { openWatch } from '../servers/watch.ts'
import { answered, startWatched } from '../servers/watched-process.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'

const BROKER = '/brokers/default/default'
const SINK = '/sinks/eventingaloha'
const PATHS = [
  '/',
  '/movie?year=1980',
  '/beer/all',
  '/beer',
  '/q/health',
  '/q/health/live',
  '/q/health/ready',
  '/q/openapi',
  '/q/health-ui/',
  '/q/health-ui/report',
  '/secure/claim',
  `${SINK}/q/health/live`,
]

/** The whole system behind its gateway; after each batch, valid requests must have their usual answers. */
export const openGateway: OpenServers = async (folder) => {
  await using opened = new AsyncDisposableStack()
  const watch = opened.use(await openWatch(folder))
  const [port, kubePort, kafkaPort] = [await freePort(), await freePort(), await freePort()]
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const system = opened.use(
    startWatched('system.ts', {
      ...watch.env,
      PORT: String(port),
      KUBE_PORT: String(kubePort),
      KAFKA_PORT: String(kafkaPort),
      TAPROOM_STATE_DIR: state,
      BEER_ITEM_WAIT_GRACE_MS: '10000',
    }),
  )
  await answered(`http://127.0.0.1:${port}/q/health/ready`)
  // The system has made its keys by now, and accepts tokens signed with them.
  const issuer = await createDevIssuer({ folder: join(state, 'keys') })
  const claim: Example = {
    method: 'GET',
    path: '/secure/claim',
    headers: [['Authorization', `Bearer ${await issuer.sign({ user: 'duke', expiresInSeconds: 86_400 })}`]],
  }
  const mallory: Example = {
    method: 'GET',
    path: '/secure/claim',
    headers: [['Authorization', `Bearer ${await issuer.sign({ user: 'mallory', expiresInSeconds: 86_400 })}`]],
  }
  const resources = opened.move()
  return createHttpTarget({
    port,
    watch,
    example: (random) =>
      random.pick<() => Example>([
        () => mallory,
        () => ({ method: random.pick(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST']), path: random.pick(PATHS) }),
        () => eventExample(BROKER)(random),
        () => eventExample(SINK)(random),
      ])(),
    plain: eventAt(BROKER),
    shapes: eventShapes(BROKER),
    expectations: [
      { request: { method: 'GET', path: '/' }, status: 200 },
      { request: { method: 'GET', path: '/secure/claim' }, status: 401 },
      { request: claim, status: 200, body: 'duke' },
      { request: { method: 'GET', path: '/movie?year=1980' }, status: 200, body: '[' },
      { request: { method: 'GET', path: '/beer/all' }, status: 200, body: '[' },
      { request: eventAt(BROKER), status: 202 },
      { request: eventAt(SINK), status: 200 },
    ],
    errors: system.errors,
    close: () => resources.disposeAsync(),
  })
}
