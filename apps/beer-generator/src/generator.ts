import { type Beer, type BeerClient, encodeBeer } from '@taproom/beer'
import { reasonOf, reasonWithCause } from '@taproom/core/lines'
import type { HealthCheck } from '@taproom/health'
import { type OutgoingChannel, SendRefusedError, type SendResult } from '@taproom/messaging'
import { type Logger, startTicker } from '@taproom/service'
import { loadBeerList } from './beer-list.ts'

export interface GeneratorDeps {
  readonly client: BeerClient
  readonly channel: Pick<OutgoingChannel, 'send'>
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  readonly listSize: number
  readonly intervalMs: number
  /** A uniform draw from [0, 1). Default `Math.random`. */
  readonly random?: () => number
}

/** Loads the list of beers, then publishes a random one at every tick, until disposed of. Returns at once. */
export function startGenerator(deps: GeneratorDeps) {
  const { client, log, listSize, intervalMs } = deps
  const stop = new AbortController()
  let beers: readonly Beer[] = []
  let failure = 'the beer service has not answered yet'

  async function run(): Promise<void> {
    beers = await loadBeerList({
      client,
      size: listSize,
      signal: stop.signal,
      onFailure: ({ error, ...progress }) => {
        failure = reasonOf(error)
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        log.warn({ code, reason: reasonWithCause(error), ...progress }, 'beer list not available')
        log.debug({ err: error, ...progress }, 'beer list not available')
      },
    })
    log.info({ beers: beers.length }, 'beer list loaded')
    const ticker = startTicker({ intervalMs, onTick: createPublisher(beers, deps) })
    stop.signal.addEventListener('abort', () => ticker[Symbol.dispose]())
  }

  const running = run().catch((error: unknown) => {
    if (stop.signal.aborted) return
    failure = 'the list of beers cannot be loaded'
    log.error({ err: error }, 'generator failed')
  })

  /** Readiness: DOWN until the beers are loaded. */
  const check: HealthCheck = {
    name: 'Beer list',
    check: () =>
      beers.length > 0 ? { status: 'UP', data: { beers: beers.length } } : { status: 'DOWN', data: { error: failure } },
  }
  return {
    check,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}

/** Each call publishes one. Logs when dropping begins and ends, not every drop. */
function createPublisher(beers: readonly Beer[], { channel, log, random = Math.random }: GeneratorDeps): () => void {
  let dropped = 0
  let wasAccepted = false

  function settle({ accepted, error }: SendResult): void {
    if (accepted && dropped > 0) log.info({ dropped }, 'beers are accepted again')
    if (!accepted && dropped === 0) {
      const isRefused = error instanceof SendRefusedError
      // Before the first connection it is normal that Kafka is not ready.
      const level = wasAccepted || isRefused ? 'warn' : 'info'
      log[level](
        error === undefined ? {} : { reason: reasonWithCause(error) },
        `beers are dropped, kafka ${isRefused ? 'refuses them' : 'is not ready'}`,
      )
    }
    wasAccepted ||= accepted
    dropped = accepted ? 0 : dropped + 1
  }

  return () => {
    const beer = beers[Math.floor(random() * beers.length)]
    if (beer === undefined) return
    channel
      .send({ key: beer.name, value: encodeBeer(beer) })
      .then(settle, (error: unknown) => log.error({ err: error }, 'beer not published'))
  }
}
