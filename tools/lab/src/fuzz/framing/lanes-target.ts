import { freePort } from '@taproom/testkit'
import type { Random } from '../../harness/random.ts'
import { inPlaces } from '../kit/shapes.ts'
import { headShapes } from '../servers/head-shapes.ts'
import type { Conversation } from '../servers/http-client.ts'
import { conversation, type Example, plainRequest } from '../servers/http-input.ts'
import { complaintsOf, sendableOf } from '../servers/http-target.ts'
import type { ServerTarget } from '../servers/server-target.ts'
import { startBackend } from './backend.ts'
import { createLane, isOfBackend, type Lane } from './lane.ts'
import type { SeenRequest } from './seen-request.ts'
import { smugglingShapes } from './smuggling-shapes.ts'

const LANES = 16

export interface LanesOptions {
  /** Starts a proxy on each port, with one backend at the other one; resolves with its stderr when all of them answer. */
  readonly start: (lanes: readonly LanePorts[]) => Promise<{ readonly errors: readonly string[] }>
  readonly example: (random: Random) => Example
  /** A request that is passed on. */
  readonly plain: Example
  /** Targets that the proxy itself asks for. */
  readonly asksFor?: readonly string[]
}

interface LanePorts {
  readonly port: number
  readonly backend: number
}

/** A proxy whose backends see no other requests than those that were sent, and none that can be read in two ways. */
export async function createLanesTarget(options: LanesOptions, opened: AsyncDisposableStack): Promise<ServerTarget> {
  const { start, example, plain, asksFor = [] } = options
  const ports = await Promise.all(
    Array.from({ length: LANES }, async () => ({ port: await freePort(), backend: opened.use(await startBackend()) })),
  )
  const { errors } = await start(ports.map(({ port, backend }) => ({ port, backend: backend.port })))
  const own = asksFor.map((target): SeenRequest => ({ method: 'GET', target, headers: [], body: Buffer.alloc(0) }))
  const lanes = ports.map(({ port, backend }): Lane => opened.use(createLane(port, backend, own)))
  let next = 0
  const sendable = (said: Conversation) =>
    sendableOf(said, async () => {
      const lane = lanes[next++ % LANES] as Lane
      const answered = await lane.send(said)
      return [
        ...complaintsOf(said, answered),
        ...answered.wrong.map((message) => ({ kind: 'wrong', message }) as const),
      ]
    })
  return {
    shapes: [
      ...inPlaces(smugglingShapes(plain.path), { framing: sendable }),
      ...inPlaces(headShapes(plain), { head: sendable }),
    ],
    input: (random) => sendable(conversation(random, example)),
    async probe() {
      const answers = await Promise.all(lanes.map((lane) => lane.send(plainRequest(plain))))
      return answers.flatMap((answered) => {
        const isRight = isOfBackend(answered) && answered.wrong.length === 0
        const got = answered.wrong[0] ?? answered.problem ?? `status ${answered.answers[0]?.status}`
        return isRight ? [] : [`${plain.method} ${plain.path}, which is always passed on, got ${got}`]
      })
    },
    errors: () => errors,
  }
}
