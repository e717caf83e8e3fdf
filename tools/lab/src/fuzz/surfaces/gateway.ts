import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDevIssuer } from '@taproom/jwt/testing'
import { freePort, waitFor } from '@taproom/testkit'
import type { Random } from '../../harness/random.ts'
import { createLanesTarget } from '../framing/lanes-target.ts'
import type { Example } from '../servers/http-input.ts'
import { createHttpTarget } from '../servers/http-target.ts'
import type { ServerTarget } from '../servers/server-target.ts'
import { onStage, type Stage } from '../servers/stage.ts'
import { answered, statusOf } from '../servers/watched-process.ts'
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
async function openSystem({ folder, opened, start }: Stage): Promise<ServerTarget> {
  const [port, kubePort, kafkaPort] = [await freePort(), await freePort(), await freePort()]
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const { errors } = start(['tools/cli/src/main.ts', 'start'], {
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
      example: (random) => random.pick<() => Example>([() => mallory, ...examples(random)])(),
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
}

function examples(random: Random): readonly (() => Example)[] {
  return [
    () => ({ method: random.pick(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST']), path: random.pick(PATHS) }),
    () => eventExample(BROKER)(random),
    () => eventExample(SINK)(random),
  ]
}

/** The gateway alone, in front of backends that keep what they get. */
async function openLanes({ opened, start }: Stage): Promise<ServerTarget> {
  return await createLanesTarget(
    {
      async start(lanes) {
        const LANES = lanes.map(({ port, backend }) => `${port}:${backend}`).join(' ')
        const gateway = start('tools/lab/src/fuzz/gateway-main.ts', { LANES })
        const urls = lanes.map(({ port }) => `http://127.0.0.1:${port}/nothing`)
        await Promise.all(
          urls.map((url) => waitFor(url, async () => (await statusOf(url)) === 404, { intervalMs: 50 })),
        )
        return gateway
      },
      example: (random) => random.pick(examples(random))(),
      plain: eventAt(BROKER),
      // For its own description.
      asksFor: ['/q/openapi?format=json'],
    },
    opened,
  )
}

/** Each input is for the system or for the gateway alone. */
export const openGateway = onStage(async (stage) => {
  const [system, lanes] = [await openSystem(stage), await openLanes(stage)]
  return {
    shapes: [...lanes.shapes.map(([name, make]) => [`alone: ${name}`, make] as const), ...system.shapes],
    input: (random) => (random.chance(0.5) ? lanes : system).input(random),
    probe: async () => (await Promise.all([lanes.probe(), system.probe()])).flat(),
    errors: () => [...lanes.errors(), ...system.errors()],
  }
})
