import type { DevIssuer } from '@taproom/jwt/testing'
import { createAuthority, type TestAuthority } from '@taproom/testkit'
import { kubectl } from '../harness/kubectl.ts'
import { listOf, type NodeProgram, nodeProgram, serviceOf } from './node-program.ts'
import { kustomization } from './overlay.ts'
import { kafkaIn, saslKafkaFiles } from './sasl-kafka.ts'

/** The namespace whose servers production knows by their names alone, as servers outside the system. */
export const OUTSIDE = 'outside'
export const DOMAIN = `${OUTSIDE}.svc.cluster.local`
const KEYS_PATH = '/realms/taproom/protocol/openid-connect/certs'

const KAFKA_USER = 'taproom'
const KAFKA_PASSWORD = 'kafka-password'

/** Hosts that speak HTTPS: an issuer, and the services of films and beers. */
const HTTPS_HOSTS = ['identity', 'films', 'beers']
const HTTPS: NodeProgram = {
  name: 'https',
  program: `
const { request } = require('node:http')
const { createServer } = require('node:https')
const { readFileSync } = require('node:fs')
const behind = { films: 'film-standin', beers: 'beer-standin' }
createServer({ cert: readFileSync('/tls/tls.crt'), key: readFileSync('/tls/tls.key') }, (req, res) => {
  const host = behind[req.headers.host?.split('.')[0]]
  if (req.url === '${KEYS_PATH}') return res.end(readFileSync('/keys/keys'))
  if (host === undefined) return res.writeHead(404).end()
  request({ host, path: req.url }, (answer) => answer.pipe(res.writeHead(answer.statusCode, answer.headers)))
    .on('error', () => res.destroy()).end()
}).listen(443)`,
  port: 443,
  volumes: { '/tls': { secret: { secretName: 'https' } }, '/keys': { configMap: { name: 'keys' } } },
}

const KUSTOMIZATION = `
namespace: ${OUTSIDE}
resources: [namespace.yaml, https.yaml]
components: [DEPLOY/components/kafka, DEPLOY/components/postgresql, DEPLOY/components/standins]
images: [{name: standins, newTag: development}]
configMapGenerator:
  - {name: kafka-login, files: [login.conf]}
  - {name: keys, files: [keys]}
secretGenerator:
  - {name: https, files: [tls.crt, tls.key]}
  - {name: kafka-tls, files: [keystore.pem]}
patches:
  - {path: sasl-kafka.yaml}
  # Its clients come from elsewhere.
  - target: {kind: NetworkPolicy}
    patch: |
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: any}
      $patch: delete
`

/** Texts of the files that the lines of cluster.md name: all that production knows of the servers outside. */
export interface Outside {
  readonly files: Readonly<Record<string, string>>
  readonly authority: TestAuthority
}

/**
 * Starts a Kafka that wants TLS and SCRAM, a PostgreSQL, and by HTTPS an issuer that publishes this key and the services of films and beers.
 * Servers with TLS have certificates of one authority, which is made for them alone.
 */
export async function startOutside(issuer: DevIssuer): Promise<Outside> {
  const authority = createAuthority('Outside')
  const https = authority.issue({ names: HTTPS_HOSTS.map((host) => `${host}.${DOMAIN}`) })
  const broker = authority.issue({ names: [`kafka.${DOMAIN}`] })
  const files = {
    'namespace.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OUTSIDE } }),
    'https.yaml': listOf([nodeProgram(HTTPS), ...HTTPS_HOSTS.map((host) => serviceOf(HTTPS, host, 443))]),
    keys: JSON.stringify({ keys: [issuer.jwk] }),
    'tls.crt': https.certificate,
    'tls.key': https.key,
    'keystore.pem': `${broker.key}${broker.certificate}`,
    ...saslKafkaFiles({
      protocol: 'SASL_SSL',
      variables: {
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://kafka.${DOMAIN}:9092,BROKER://localhost:9094`,
        // For topics that are not there.
        KAFKA_NUM_PARTITIONS: '2',
        KAFKA_SSL_KEYSTORE_TYPE: 'PEM',
        KAFKA_SSL_KEYSTORE_LOCATION: '/tls/keystore.pem',
      },
      volumes: { '/tls': { secret: { secretName: 'kafka-tls' } } },
    }),
  }
  await kubectl(['apply', '-k', await kustomization('outside', KUSTOMIZATION, { files })])
  for (const pods of [
    'statefulset/kafka',
    'statefulset/postgresql',
    'deployment/https',
    'deployment/film-standin',
    'deployment/beer-standin',
  ])
    await kubectl(['-n', OUTSIDE, 'rollout', 'status', pods, '--timeout=300s'])
  await kafkaIn(OUTSIDE).setUser(KAFKA_USER, KAFKA_PASSWORD)
  return {
    authority,
    files: {
      'bootstrap-servers.txt': `kafka.${DOMAIN}:9092`,
      'password.txt': KAFKA_PASSWORD,
      'ca.crt': authority.certificate,
      'database-url.txt': `postgres://movie-api:development@postgresql.${DOMAIN}:5432/movie-api`,
    },
  }
}
