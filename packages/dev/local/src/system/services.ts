import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevIssuer } from '@taproom/jwt/testing'
import type { Env } from '@taproom/service'
import { commonEnvironment, type EnvironmentOptions } from './service-environment.ts'

/** One process of the system, before it runs. */
export interface ServiceDescription {
  readonly name: string
  /** File to run. */
  readonly main: string
  readonly cwd: string
  /** Names of the services that have to be ready before. */
  readonly needs: readonly string[]
  /** Port to ask for; 0 is any. */
  readonly port: number
  /** Whether it has health to report. */
  readonly hasHealth: boolean
  /** Its environment, given its port and where those it needs listen. */
  env(port: number, portOf: (service: string) => number | undefined): Env
}

/** Options of {@link describeServices}. */
export interface DescribeOptions extends EnvironmentOptions {
  /** The issuer of development tokens; undefined when other keys are configured. */
  readonly devIssuer: Pick<DevIssuer, 'issuer' | 'publicKeyFile'> | undefined
}

/** Nothing listens on it: what a service is told when what it needs could not start, so that it still says what else is wrong. */
const closedPort = 9

/**
 * The whole system, service by service. Each gets the caller's environment; what is not configured there is pointed at its embedded
 * counterpart.
 */
export function describeServices(options: DescribeOptions): ServiceDescription[] {
  const { config, folder, root, cwd, devIssuer } = options
  const { embedded, ports } = config
  const common = commonEnvironment(options)
  const local = fileURLToPath(new URL('..', import.meta.url))
  const kafka = embedded.kafka ? ['embedded-kafka'] : []
  const films = embedded.filmService ? ['film-standin'] : []
  const beers = embedded.beerService ? ['beer-standin'] : []

  const standin = (name: 'film-standin' | 'beer-standin'): ServiceDescription => ({
    name,
    main: join(local, `${name}-main.ts`),
    cwd,
    needs: [],
    port: ports.pinned[name],
    hasHealth: false,
    env: (port) => ({ ...common, PORT: String(port) }),
  })
  const app = (
    name: 'claim-api' | 'movie-api' | 'beer-generator' | 'price-generator' | 'beer-stream' | 'event-platform',
    needs: readonly string[],
    own: Env = {},
  ): ServiceDescription => ({
    name,
    main: join(root, 'apps', name, 'src/main.ts'),
    cwd: join(root, 'apps', name),
    needs,
    port: ports.pinned[name],
    hasHealth: true,
    env: (port, portOf) => {
      const at = (service: string) => `127.0.0.1:${portOf(service) ?? closedPort}`
      const filmBase = `http://${at('film-standin')}/api`
      return {
        ...common,
        ...(needs.includes('embedded-kafka') && { KAFKA_BOOTSTRAP_SERVERS: at('embedded-kafka') }),
        ...(needs.includes('film-standin') && {
          FILM_SERVICE_URL: filmBase,
          EXTERNAL_URL: common['EXTERNAL_URL'] || filmBase,
        }),
        ...(needs.includes('beer-standin') && { BEER_SERVICE_URL: `http://${at('beer-standin')}/v2` }),
        ...own,
        PORT: String(port),
      }
    },
  })

  return [
    ...kafka.map(() => ({
      name: 'embedded-kafka',
      main: join(root, 'packages/dev/embedded-kafka/src/main.ts'),
      cwd,
      needs: [],
      port: ports.kafka,
      hasHealth: false,
      env: (port: number) => ({
        ...common,
        KAFKA_HOST: '127.0.0.1',
        KAFKA_PORT: String(port),
        KAFKA_DATA_DIR: folder.kafka,
      }),
    })),
    ...films.map(() => standin('film-standin')),
    ...beers.map(() => standin('beer-standin')),
    app('claim-api', [], {
      ...(devIssuer && {
        MP_JWT_VERIFY_PUBLICKEY_LOCATION: devIssuer.publicKeyFile,
        MP_JWT_VERIFY_ISSUER: devIssuer.issuer,
      }),
    }),
    app('movie-api', films, { ...(embedded.database && { DATABASE_URL: `sqlite:${folder.database}` }) }),
    app('beer-generator', [...kafka, ...beers]),
    app('price-generator', kafka),
    app('beer-stream', [...kafka, ...beers]),
    app('event-platform', kafka, {
      KUBE_PORT: String(ports.kube),
      // The embedded broker allows shorter sessions than Kafka does by default: triggers go on sooner after a kill.
      ...(embedded.kafka && { KAFKA_SESSION_TIMEOUT_MS: common['KAFKA_SESSION_TIMEOUT_MS'] || '3000' }),
      RESOURCES_FILE: common['RESOURCES_FILE'] || folder.resources,
    }),
  ]
}
