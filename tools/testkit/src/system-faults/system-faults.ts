import { startHttpServer } from '../http-server.ts'
import { eventFaults } from './event-faults.ts'
import type { FaultySystem, SystemFault } from './faulty-system.ts'
import { manifestFaults } from './manifest-faults.ts'

/**
 * Faults that a developer meets, in the order in which one system can have them all. Calls of the film service must not be retried there
 * (`FILM_RETRY_MAX_RETRIES=0`): the first one that fails would open the breaker.
 */
export const SYSTEM_FAULTS: readonly SystemFault[] = [
  ...eventFaults,
  ...manifestFaults,
  {
    name: 'film service failing',
    part: 'remote/film-standin',
    problem:
      /^100 % of the calls of movie-api to film-standin failed in the last ten seconds: GET http\S+ answered 503$/,
    async make(system) {
      await system.ask('PUT', '/api/faults/film-standin', { mode: 'failing', seconds: 600 })
      await askFilm(system)
    },
  },
  {
    name: 'breaker open',
    part: 'service/movie-api',
    problem: /^Film service circuit breaker of movie-api is (?:open|half-open), .*: GET http\S+ answered 503$/,
    async make(system) {
      for (let call = 0; call < BREAKER_VOLUME; call += 1) await askFilm(system)
    },
  },
  {
    name: 'poison record',
    part: 'channel/price-generator/beer',
    problem: /^price-generator, topic beer partition \d+ offset \d+: malformed beer skipped/,
    make: async (system) => void (await system.ask('POST', '/api/kafka/topics/beer/records', { value: 'not a beer' })),
  },
  {
    name: 'token of a wrong issuer',
    part: 'service/claim-api',
    problem: /^claim-api refused 1 token in the last minute: .*; accepted: http\S+$/,
    async make(system) {
      const authorization = `Bearer ${await system.foreignToken()}`
      const response = await fetch(`${system.gateway}/secure/claim`, { headers: { authorization } })
      await response.text()
    },
  },
  {
    name: 'port taken',
    part: 'service/claim-api',
    problem: /^claim-api crashed(?: \d+ times)?: .*port \d+ is in use/,
    async make(system, opened) {
      const { items } = (await system.ask('GET', '/api/services')) as Services
      const { port = 0 } = items.find(({ name }) => name === 'claim-api') ?? {}
      await system.ask('POST', '/api/services/claim-api/stop')
      opened.use(await startHttpServer((_request, response) => response.end(), { port }))
      // It answers when the service is ready, which it will not be.
      void system.ask('POST', '/api/services/claim-api/start').catch(() => undefined)
    },
  },
  {
    name: 'database refused',
    part: 'service/movie-api',
    problem: /^movie-api is not ready: check "Database connections health check" is DOWN \(.*(?:ECONNREFUSED|terminat)/,
    make: (system) => system.stopDatabase(),
  },
  {
    name: 'Kafka away',
    part: 'kafka/embedded-kafka',
    problem: /^Kafka at 127\.0\.0\.1:\d+ does not answer; waiting for it: .*beer-generator/,
    make: async (system) =>
      void (await system.ask('PUT', '/api/faults/embedded-kafka', { mode: 'away', seconds: 600 })),
  },
]

/** Calls that the breaker of the film service looks at, at least. */
const BREAKER_VOLUME = 8

interface Services {
  readonly items: readonly { readonly name: string; readonly port?: number }[]
}

async function askFilm({ gateway }: FaultySystem): Promise<void> {
  const response = await fetch(`${gateway}/movie?year=1980`)
  await response.text()
}
