import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { startHttpServer } from '@taproom/testkit'

/** The ways in which the remote film service answers, or does not. */
export const WAYS = ['film', 'slow', 'late', 'hang', 'reset', 'garbage', 'half a body', '500', '503'] as const

export type Way = (typeof WAYS)[number]

/** A remote film service that is well for a while, then answers in any way, then is down, and so on. */
export interface FlappingRemote extends AsyncDisposable {
  readonly url: string
  /** How often it answered in each way. */
  readonly answers: Readonly<Record<Way, number>>
  /** From now on it answers every request with a film. */
  recover(): void
}

/** The ways of answering in each phase. */
const PHASES: readonly (readonly Way[])[] = [['film'], WAYS, ['reset']]

/** A `late` answer comes after `timeoutMs`, a `slow` one before; each phase takes `phaseMs`, and longer until every way of it has come. */
export async function startFlappingRemote(options: {
  readonly timeoutMs: number
  readonly phaseMs: number
  readonly random: () => number
}): Promise<FlappingRemote> {
  const { timeoutMs, phaseMs, random } = options
  const answers = Object.fromEntries(WAYS.map((way) => [way, 0])) as Record<Way, number>
  const nextWay = createPhases(phaseMs, random)
  let isWell = false

  const server = await startHttpServer((req, res) => {
    const id = Number(/^\/films\/(\d+)$/.exec(req.url ?? '')?.[1] ?? 0)
    if (id === 0) return void res.end('[]')
    const way = isWell ? 'film' : nextWay()
    answers[way] += 1
    // The list of requests, meant for short tests, would grow like a leak here.
    ;(server.requests as unknown[]).length = 0
    void answer(way, { req, res, id, timeoutMs })
  })
  return {
    url: server.url,
    answers,
    recover: () => {
      isWell = true
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** The ways of a phase come in random order, each once before any comes again; a phase ends when all have come equally often. */
function createPhases(phaseMs: number, random: () => number): () => Way {
  let phase = -1
  let endsAt = Number.NEGATIVE_INFINITY
  let left: Way[] = []
  return () => {
    if (left.length === 0) {
      const now = performance.now()
      if (now >= endsAt) {
        phase = (phase + 1) % PHASES.length
        endsAt = now + phaseMs
      }
      left = [...(PHASES[phase] ?? [])]
    }
    return left.splice(Math.floor(random() * left.length), 1)[0] ?? 'film'
  }
}

interface Asked {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly id: number
  readonly timeoutMs: number
}

async function answer(way: Way, { req, res, id, timeoutMs }: Asked): Promise<void> {
  const film = JSON.stringify({ title: `Remote ${id}`, ...remoteFields(id) })
  switch (way) {
    case 'hang':
      return
    case 'reset':
      return void req.socket.resetAndDestroy()
    case 'garbage':
      return void res.end('<html>')
    case 'half a body':
      res.writeHead(200, { 'content-length': film.length })
      return void res.write(film.slice(0, film.length / 2), () => req.socket.resetAndDestroy())
    case '500':
    case '503':
      return void res.writeHead(Number(way)).end()
    case 'slow':
      await delay(timeoutMs / 2)
      break
    case 'late':
      await delay(timeoutMs * 2)
      break
    default:
  }
  res.end(film)
}

/** The fields of a film's answer for which the remote is needed. */
export function remoteFields(id: number) {
  return { episode_id: 10 + id, director: `Director ${id}`, producer: `Producer ${id}`, opening_crawl: `Text ${id}` }
}
