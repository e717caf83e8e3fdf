import type { Need, Variables } from './app.ts'
import { PLATFORM } from './event-platform.ts'
import { backingService } from './needs.ts'

/** Apache Kafka; the embedded broker under `pnpm start`. */
export const kafka = backingService('kafka', {
  variable: 'kafka.bootstrap.servers',
  enabledBy: 'kafka.devservices.enabled',
  standIn: 'embedded-kafka',
  process: {
    main: '@taproom/embedded-kafka/main',
    port: { variable: 'KAFKA_PORT', default: 9092 },
    env: ({ port, kept }) => ({
      KAFKA_HOST: '127.0.0.1',
      KAFKA_PORT: String(port),
      KAFKA_DATA_DIR: kept('kafka'),
      // Sessions as short as apps may want them: the one of the event platform has 3 seconds.
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
    }),
  },
  keeps: () => ['kafka'],
  secret: 'kafka/bootstrap-servers',
  compose: { value: 'kafka:9092', anchor: 'kafka', after: { kafka: 'healthy' } },
})

/** A database of PostgreSQL for each app; an SQLite file of each under `pnpm start`. */
export const database = backingService('database', {
  variable: 'DATABASE_URL',
  local: ({ name, kept }) => ({ DATABASE_URL: `sqlite:${kept(`${name}.sqlite`)}` }),
  keeps: (app) => [`${app}.sqlite`],
  secret: '{app}-database/url',
  compose: { value: 'postgres://{app}:taproom@postgres:5432/{app}', after: { postgres: 'healthy', databases: 'done' } },
})

/** Where events are sent: the broker `default`, that of the event platform or Knative's. */
export const broker: Need = {
  name: 'broker',
  variables: ['BROKER_URL'],
  local: ({ gateway }) => ({ BROKER_URL: `${gateway}/brokers/default/default` }),
  cluster: {
    base: { BROKER_URL: 'http://broker-ingress.knative-eventing.svc.cluster.local/default/default' },
    development: {},
  },
  compose: { value: `http://${PLATFORM}:8080/default/default`, after: { [PLATFORM]: 'healthy' } },
}

/** Options of {@link tokenIssuer}. */
export interface TokenIssuerOptions {
  /** `iss` of the tokens of `pnpm run token`, the only ones that are taken but in production. Default `https://issuer.taproom.example`. */
  readonly development?: string
  /** In production. Default: pods there get it from elsewhere, or do not start. */
  readonly production?: {
    readonly url: string
    /** Address of its key set. */
    readonly keys: string
    /** Else tokens that the issuer made for other services would do. */
    readonly audience: string
  }
  /** What puts the key into `/data/keys` of containers in `deploy/compose.yaml`. Default: a secret that is the file of `pnpm run token`. */
  readonly compose?: Pick<Need['compose'], 'secrets' | 'volumes' | 'after'>
}

const KEY_FILE = '/data/keys/public-key.pem'
/** Below the folder of `deploy/compose.yaml`. */
const OWN_KEY = {
  secrets: { 'token-key': { file: '../.taproom/keys/public-key.pem', target: KEY_FILE } },
  after: {},
}

/**
 * Whose tokens are accepted: under `pnpm start` those of `pnpm run token`.
 *
 * @throws {RangeError} when the development issuer is none, or several
 */
export function tokenIssuer(options: TokenIssuerOptions = {}): Need {
  const { development = 'https://issuer.taproom.example', production, compose = OWN_KEY } = options
  // MicroProfile's property is a list.
  if (!/^[^\s,]+$/.test(development)) {
    throw new RangeError(
      `tokenIssuer: development is ${JSON.stringify(development)}: expected one issuer, without spaces and commas`,
    )
  }
  return {
    name: 'issuer',
    variables: ['mp.jwt.verify.publickey.location', 'mp.jwt.verify.publickey', 'mp.jwt.verify.issuer'],
    developmentIssuer: development,
    local: ({ issuer: { url, publicKeyFile } }) => accepted(url, publicKeyFile),
    cluster: {
      development: accepted(development, '/keys/public-key.pem'),
      ...(production !== undefined && {
        production: { ...accepted(production.url, production.keys), MP_JWT_VERIFY_AUDIENCES: production.audience },
      }),
    },
    overHttps: true,
    compose: {
      value: KEY_FILE,
      others: { MP_JWT_VERIFY_ISSUER: development },
      ...compose,
    },
  }
}

/** {@link tokenIssuer} without an address for production. */
export const issuer = tokenIssuer()

function accepted(url: string, keyLocation: string): Variables {
  return { MP_JWT_VERIFY_ISSUER: url, MP_JWT_VERIFY_PUBLICKEY_LOCATION: keyLocation }
}
