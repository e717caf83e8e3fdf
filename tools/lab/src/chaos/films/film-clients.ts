import { once } from 'node:events'
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import { remoteFields } from './flapping-remote.ts'

/** Answers since the last call. */
export interface FilmFigures {
  requests: number
  /** Answers by status; `gave up`: the client did not wait for them; `hung`: they took too long. */
  readonly outcomes: Map<string, number>
  /** Durations of whole answers, in milliseconds. */
  readonly timesMs: number[]
  /** The first few wrong answers. */
  readonly wrong: string[]
}

export interface FilmClientsOptions {
  readonly url: string
  readonly clients: number
  /** A request that takes longer counts as hanging. */
  readonly limitMs: number
  readonly random: () => number
  readonly signal: AbortSignal
  /** Where to count at the moment. */
  figures(): FilmFigures
}

/** The movies of the app, in the order of its answer. */
export const TITLES = [
  'A New Hope',
  'The Empire Strikes Back',
  'Return of the Jedi',
  'The Phantom Menace',
  'Attack of the Clones',
  'Revenge of the Sith',
]
const GIVE_UP_SHARE = 0.03
const GIVE_UP_MS = 50
const MAX_WRONG = 5
/** As a service keeps an idle connection by default. */
const SERVICE_KEEPS_MS = 5000
/** When the last request on a connection began. */
const usedAt = new WeakMap<object, number>()
const FALLBACK = { episodeId: 0, director: '', producer: '', opening_crawl: '' }

/** Clients that each send one request after another until the signal; one in 33 does not wait for its answer. */
export async function runFilmClients(options: FilmClientsOptions): Promise<void> {
  const { clients, signal } = options
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  try {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (!signal.aborted) await request(agent, options)
      }),
    )
  } finally {
    agent.destroy()
  }
}

async function request(agent: Agent, { url, limitMs, random, figures }: FilmClientsOptions): Promise<void> {
  const givesUp = random() < GIVE_UP_SHARE
  const limit = AbortSignal.timeout(givesUp ? Math.ceil(random() * GIVE_UP_MS) : limitMs)
  const startedAt = performance.now()
  let outcome: string
  let keptMs = 0
  const asked = get(`${url}/movie`, { agent, signal: limit }).once('socket', (socket) => {
    keptMs = startedAt - (usedAt.get(socket) ?? startedAt)
    usedAt.set(socket, startedAt)
  })
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await answer.toArray({ signal: limit })).toString()
    outcome = String(answer.statusCode)
    const { timesMs, wrong } = figures()
    timesMs.push(performance.now() - startedAt)
    const problem = answer.statusCode === 200 ? problemOf(body) : body
    if (problem !== undefined && wrong.length < MAX_WRONG) wrong.push(problem)
  } catch (error) {
    if (!limit.aborted && wasIdle(error, asked, keptMs)) return
    outcome = limit.aborted
      ? givesUp
        ? 'gave up'
        : 'hung'
      : `broken (${reasonOf(error)}; the connection was used ${Math.round(keptMs)} ms before)`
    // Without a pause, a service that is down would be asked in a tight loop.
    if (!limit.aborted) await delay(10)
  }
  const { outcomes } = figures()
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  figures().requests += 1
}

/**
 * True when a kept connection was closed just as it was used, because it had been idle for as long as the service keeps one: any client
 * asks again then (RFC 9112, 9.3.1). One that was used sooner was closed on a request.
 */
export function wasIdle(
  error: unknown,
  { reusedSocket, res }: Pick<ClientRequest, 'reusedSocket'> & { readonly res?: IncomingMessage | null },
  keptMs: number,
): boolean {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  return isReset && reusedSocket && !res && keptMs >= SERVICE_KEEPS_MS
}

/** Why an answer is not six films, each with all remote fields or with none. */
export function problemOf(body: string): string | undefined {
  const films = JSON.parse(body) as readonly { readonly title: string }[]
  if (films.map(({ title }) => title).join() !== TITLES.join()) return `other films: ${body.slice(0, 200)}`
  const mixed = films.find((film, index) => {
    const { episode_id: episodeId, ...texts } = remoteFields(index + 1)
    return ![{ episodeId, ...texts }, FALLBACK].some((fields) => isDeepStrictEqual({ ...film, ...fields }, film))
  })
  return mixed && `half a film: ${JSON.stringify(mixed)}`
}
