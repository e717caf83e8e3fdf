import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { freePort } from '@taproom/testkit'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget } from '../servers/http-target.ts'
import { onStage } from '../servers/stage.ts'
import { answered } from '../servers/watched-process.ts'
import { claimWith, get } from './apps.ts'
import { eventAt, eventExample, eventShapes } from './events.ts'

const BROKER = '/brokers/default/default'
const SINK = '/sinks/eventingaloha'
const PATHS = [
  ...'/ /movie?year=1980 /beer/all /beer /secure/claim'.split(' '),
  ...'/q/health /q/health/live /q/health/ready /q/openapi /q/health-ui/ /q/health-ui/report'.split(' '),
  `${SINK}/q/health/live`,
]

/** The whole system behind its gateway; after each batch, valid requests must have their usual answers. */
export const openGateway = onStage(async ({ folder, opened, start }) => {
  const [port, kubePort, kafkaPort] = [await freePort(), await freePort(), await freePort()]
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const { errors } = start(['packages/dev/cli/src/main.ts', 'start'], {
    PORT: String(port),
    KUBE_PORT: String(kubePort),
    KAFKA_PORT: String(kafkaPort),
    TAPROOM_STATE_DIR: state,
    BEER_ITEM_WAIT_GRACE_MS: '10000',
  })
  await answered(`http://127.0.0.1:${port}/q/health/ready`)
  // The system has made its keys by now, and accepts tokens signed with them.
  const issuer = await createDevIssuer({ folder: join(state, 'keys') })
  const claimOf = async (user: string) => claimWith(`Bearer ${await issuer.sign({ user, expiresInSeconds: 86_400 })}`)
  const [duke, mallory] = [await claimOf('duke'), await claimOf('mallory')]
  return createHttpTarget(
    {
      port,
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
        { request: get('/'), status: 200 },
        { request: get('/secure/claim'), status: 401 },
        { request: duke, status: 200, body: 'duke' },
        { request: get('/movie?year=1980'), status: 200, body: '[' },
        { request: get('/beer/all'), status: 200, body: '[' },
        { request: eventAt(BROKER), status: 202 },
        { request: eventAt(SINK), status: 200 },
      ],
      errors,
    },
    opened,
  )
})
