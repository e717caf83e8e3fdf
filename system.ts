/**
 * The whole system: what runs, what it needs, what it serves. `pnpm start` runs it, `pnpm generate` writes parts of deploy/ and README.md
 * from it, and tests compare the rest with it. A new app is an entry in `apps`.
 */
import { defineSystem, type Need, type Sink } from './packages/dev/system/src/index.ts'

const kafka: Need = {
  name: 'kafka',
  variables: ['kafka.bootstrap.servers'],
  enabledBy: 'kafka.devservices.enabled',
  standIn: 'embedded-kafka',
  local: ({ address }) => ({ KAFKA_BOOTSTRAP_SERVERS: address('embedded-kafka') }),
  cluster: { secret: 'kafka', key: 'bootstrap-servers' },
  compose: { value: 'kafka:9092', after: { kafka: 'healthy' } },
}

const films: Need = {
  name: 'films',
  variables: ['FILM_SERVICE_URL'],
  standIn: 'film-standin',
  local: ({ address, given }) => {
    const url = `http://${address('film-standin')}/api`
    return { FILM_SERVICE_URL: url, EXTERNAL_URL: given['EXTERNAL_URL'] || url }
  },
  cluster: {
    base: { FILM_SERVICE_URL: 'https://swapi.dev/api' },
    development: { FILM_SERVICE_URL: 'http://film-standin/api' },
  },
  overHttps: true,
  compose: { value: 'http://film-standin:8080/api', after: { 'film-standin': 'healthy' } },
}

const beers: Need = {
  name: 'beers',
  variables: ['BEER_SERVICE_URL'],
  standIn: 'beer-standin',
  local: ({ address }) => ({ BEER_SERVICE_URL: `http://${address('beer-standin')}/v2` }),
  cluster: {
    development: { BEER_SERVICE_URL: 'http://beer-standin/v2' },
    production: { BEER_SERVICE_URL: 'https://beers.example.com/v2' },
  },
  overHttps: true,
  compose: { value: 'http://beer-standin:8080/v2', after: { 'beer-standin': 'healthy' } },
}

const database: Need = {
  name: 'database',
  variables: ['DATABASE_URL'],
  local: ({ kept }) => ({ DATABASE_URL: `sqlite:${kept('movies.sqlite')}` }),
  cluster: { secret: 'movie-api-database', key: 'url' },
  compose: { value: 'postgres://taproom:taproom@postgres:5432/taproom', after: { migration: 'done' } },
}

/** Whose tokens are accepted. */
const issuer: Need = {
  name: 'issuer',
  variables: ['mp.jwt.verify.publickey.location', 'mp.jwt.verify.publickey', 'mp.jwt.verify.issuer'],
  developmentKey: true,
  local: ({ issuer: { url, publicKeyFile } }) => ({
    MP_JWT_VERIFY_PUBLICKEY_LOCATION: publicKeyFile,
    MP_JWT_VERIFY_ISSUER: url,
  }),
  cluster: {
    development: {
      MP_JWT_VERIFY_ISSUER: 'https://issuer.taproom.example',
      // In the ConfigMap `development-key`: see deploy/cluster.md.
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/keys/public-key.pem',
    },
    production: {
      MP_JWT_VERIFY_ISSUER: 'https://identity.example.com/realms/taproom',
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'https://identity.example.com/realms/taproom/protocol/openid-connect/certs',
    },
  },
  overHttps: true,
  compose: { value: '/data/keys/public-key.pem', after: { keys: 'done' } },
}

/** By the name of their Knative Service. */
const sinks: Readonly<Record<string, Sink>> = {
  eventingaloha: { app: 'aloha-sink', trigger: 'aloha', filter: { type: 'greeting' } },
  eventingbonjour: { app: 'bonjour-sink', trigger: 'bonjour', filter: { type: 'greeting' } },
}
const sinkApps = Object.values(sinks).map(({ app }) => app)

export const system = defineSystem({
  standIns: {
    'embedded-kafka': {
      main: 'packages/dev/embedded-kafka/src/main.ts',
      port: { variable: 'KAFKA_PORT', default: 9092 },
      env: ({ port, kept }) => ({ KAFKA_HOST: '127.0.0.1', KAFKA_PORT: String(port), KAFKA_DATA_DIR: kept('kafka') }),
    },
    'film-standin': { main: 'packages/dev/standins/src/film-standin-main.ts', path: '/api' },
    'beer-standin': { main: 'packages/dev/standins/src/beer-standin-main.ts', path: '/v2' },
  },

  apps: {
    'claim-api': {
      config: () => import('./apps/claim-api/src/config.ts'),
      serves: ['/secure/claim'],
      needs: [issuer],
      cluster: {
        // Verifying tokens is all processor; one pod is one core.
        size: { cpu: '500m', cpuLimit: '1', memory: '128Mi', memoryLimit: '256Mi' },
        pods: { cpuPercent: 70 },
      },
    },
    'movie-api': {
      config: () => import('./apps/movie-api/src/config.ts'),
      serves: ['/movie'],
      links: {
        '/movie': 'films, from the database and the remote film service',
        '/movie?year=1980': 'those of one year',
      },
      // One film may take 14 s when the film service fails again and again.
      timeoutSeconds: 60,
      needs: [films, database],
      cluster: {
        // The wait for the film service costs nothing; what costs is building answers.
        size: { cpu: '250m', cpuLimit: '1', memory: '160Mi', memoryLimit: '320Mi' },
        pods: { cpuPercent: 70 },
        // A Job migrates, once per release.
        env: { DATABASE_MIGRATE_AT_START: 'false' },
        // The contract's liveness, URL and database checks are movie-api's. The health of each pod is what its probes ask.
        alsoServes: ['/q/health'],
      },
    },
    'beer-generator': {
      config: () => import('./apps/beer-generator/src/config.ts'),
      needs: [kafka, beers],
      cluster: {
        size: { cpu: '50m', cpuLimit: '500m', memory: '128Mi', memoryLimit: '256Mi' },
        // One generator is one beer a second; two, also for the moment of a rollout, would be two.
        pods: 'never two',
      },
    },
    'price-generator': {
      config: () => import('./apps/price-generator/src/config.ts'),
      needs: [kafka],
      cluster: { size: { cpu: '100m', cpuLimit: '1', memory: '128Mi', memoryLimit: '256Mi' }, pods: 'fixed' },
    },
    'beer-stream': {
      config: () => import('./apps/beer-stream/src/config.ts'),
      serves: ['/beer', '/beer/all'],
      links: {
        '/beer': 'a priced beer every second, as server-sent events',
        '/beer/all': 'every strong beer of the remote beer service',
      },
      // A stream of events has no end.
      timeoutSeconds: 0,
      needs: [kafka, beers],
      cluster: {
        size: { cpu: '250m', cpuLimit: '1', memory: '256Mi', memoryLimit: '768Mi' },
        // By its open streams: deploy/kubernetes/base/600-beer-stream-autoscaler.yaml.
        pods: 'scaled elsewhere',
      },
    },
    // On a cluster Knative takes its place.
    'event-platform': {
      serves: ['/brokers/*', '/sinks/*'],
      needs: [kafka],
      env: ({ given, kept, brings }) => ({
        // The embedded broker allows shorter sessions than Kafka does by default: triggers go on sooner after a kill.
        ...(brings(kafka) && { KAFKA_SESSION_TIMEOUT_MS: given['KAFKA_SESSION_TIMEOUT_MS'] || '3000' }),
        RESOURCES_FILE: given['RESOURCES_FILE'] || kept('resources.json'),
      }),
    },
  },

  sinks,

  images: {
    'event-sinks': sinkApps,
    // Runs the sinks as processes of its own container.
    'event-platform': ['event-platform', ...sinkApps],
    standins: ['standins', 'start'],
  },

  keeps: ['movies.sqlite', 'kafka', 'resources.json', 'kube-token'],

  tryIt: (url, token) => [
    `curl -H "Authorization: Bearer ${token}" ${url}/secure/claim`,
    `curl '${url}/movie?year=1980'`,
    `curl -N ${url}/beer`,
    `curl -i -X POST ${url}/brokers/default/default -H 'Content-Type: application/json' -H 'Ce-Id: 1' -H 'Ce-Specversion: 1.0' -H 'Ce-Type: greeting' -H 'Ce-Source: terminal' -d '{"message":"hello"}'`,
  ],
})

if (import.meta.main) await (await import('./packages/dev/start/src/index.ts')).runSystem(system)
