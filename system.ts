/**
 * The whole system: what runs, what it needs, what it serves. `pnpm start` runs it as it stands here, `pnpm generate` writes from it what
 * deploy/ and README.md say of it, and tests hold the rest against it. A new app is an entry in `apps`.
 */
import {
  database,
  defineSystem,
  eventPlatform,
  kafka,
  remoteService,
  type Sink,
  tokenIssuer,
} from './tools/system/src/index.ts'

const films = remoteService('films', {
  variable: 'FILM_SERVICE_URL',
  standIn: 'film-standin',
  path: '/api',
  url: 'https://swapi.dev/api',
})
const beers = remoteService('beers', {
  variable: 'BEER_SERVICE_URL',
  standIn: 'beer-standin',
  path: '/v2',
  production: 'https://beers.example.com/v2',
})
const issuer = tokenIssuer({
  production: {
    url: 'https://identity.example.com/realms/taproom',
    keys: 'https://identity.example.com/realms/taproom/protocol/openid-connect/certs',
    audience: 'taproom',
  },
  compose: { volumes: ['keys:/data:ro'], after: { keys: 'done' } },
})

/** By the name of their Knative Service. */
const sinks: Readonly<Record<string, Sink>> = {
  eventingaloha: { app: 'aloha-sink', triggers: { aloha: { filter: { type: 'greeting' } } } },
  eventingbonjour: { app: 'bonjour-sink', triggers: { bonjour: { filter: { type: 'greeting' } } } },
}
const sinkApps = Object.values(sinks).map(({ app }) => app)

export const system = defineSystem({
  name: 'Taproom',
  apps: {
    'claim-api': {
      config: () => import('./apps/claim-api/src/config.ts'),
      serves: ['/secure/claim'],
      needs: [issuer],
      // Verifying tokens is all processor; one pod is one core.
      cluster: {
        cpu: '500m to 1',
        memory: '128Mi to 256Mi',
        pods: { cpuPercent: 70 },
        production: { HTTP_RATE_LIMIT: '50', HTTP_RATE_LIMIT_BURST: '200' },
      },
    },
    'movie-api': {
      config: () => import('./apps/movie-api/src/config.ts'),
      serves: ['/movie'],
      links: {
        '/movie': 'films, from the database and the remote film service',
        '/movie?year=1980': 'those of one year',
      },
      timeoutSeconds: 60, // One film may take 14 s when the film service fails again and again.
      needs: [films, database],
      env: ({ given, brings, address }) => ({
        ...(brings(films) && { EXTERNAL_URL: given['EXTERNAL_URL'] || `http://${address('film-standin')}/api` }),
      }),
      cluster: {
        cpu: '250m to 1',
        memory: '160Mi to 320Mi',
        pods: { cpuPercent: 70 },
        env: { DATABASE_MIGRATE_AT_START: 'false' }, // A Job migrates, once per release.
        production: { HTTP_RATE_LIMIT: '20', HTTP_RATE_LIMIT_BURST: '100' }, // Each may be six calls of the film service.
      },
    },
    'beer-generator': {
      config: () => import('./apps/beer-generator/src/config.ts'),
      needs: [kafka, beers],
      // One generator is one beer a second; two, also for the moment of a rollout, would be two.
      cluster: { cpu: '50m to 500m', memory: '128Mi to 256Mi', pods: 'never two' },
    },
    'price-generator': {
      config: () => import('./apps/price-generator/src/config.ts'),
      needs: [kafka],
      cluster: { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' },
    },
    'beer-stream': {
      config: () => import('./apps/beer-stream/src/config.ts'),
      serves: ['/beer', '/beer/all'],
      links: {
        '/beer': 'a priced beer every second, as server-sent events',
        '/beer/all': 'every strong beer of the remote beer service',
      },
      timeoutSeconds: 0, // A stream of events has no end.
      needs: [kafka, beers],
      // By its open streams: deploy/kubernetes/base/600-beer-stream-autoscaler.yaml.
      cluster: {
        cpu: '250m to 1',
        memory: '256Mi to 768Mi',
        pods: 'scaled elsewhere',
        // Its 20,000 streams, and other requests.
        env: { HTTP_MAX_CONNECTIONS: '21000' },
        // A browser that is refused does not try again, and all in one office come back at once when a replica went.
        production: { HTTP_RATE_LIMIT: '20', HTTP_RATE_LIMIT_BURST: '500' },
      },
    },
    'event-platform': eventPlatform(kafka),
  },
  sinks,
  health: 'movie-api', // It has the checks of the contract.

  standIns: {
    'film-standin': { main: 'tools/standins/src/film-standin-main.ts' },
    'beer-standin': { main: 'tools/standins/src/beer-standin-main.ts' },
  },

  // Of each other app one, of the sinks one, and these.
  images: {
    'event-platform': ['event-platform', ...sinkApps], // It runs the sinks as processes of its own container.
    standins: ['standins', 'start'],
  },

  bundle: { external: ['better-sqlite3'] },

  tryIt: (url, token) => [
    `curl -H "Authorization: Bearer ${token}" ${url}/secure/claim`,
    `curl '${url}/movie?year=1980'`,
    `curl -N ${url}/beer`,
    `curl -i -X POST ${url}/brokers/default/default -H 'Content-Type: application/json' -H 'Ce-Id: 1' -H 'Ce-Specversion: 1.0' -H 'Ce-Type: greeting' -H 'Ce-Source: terminal' -d '{"message":"hello"}'`,
  ],
})
