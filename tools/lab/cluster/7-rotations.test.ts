import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDevIssuer } from '@taproom/jwt/testing'
import { eventually } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Changes, changesTable, changesUnder, NONE_FAILED } from '../src/cluster/changes.ts'
import { documentedCommands } from '../src/cluster/documented.ts'
import { KEY_HOST, KEYS_MAX_AGE_SECONDS, publishKeys } from '../src/cluster/key-host.ts'
import { type Load, startLoad } from '../src/cluster/load/load.ts'
import { beersOutcome } from '../src/cluster/load/outcome.ts'
import { overlayWith, TWO_OF_EACH } from '../src/cluster/overlay.ts'
import { kafkaIn, saslKafkaFiles } from '../src/cluster/sasl-kafka.ts'
import { makeSinks } from '../src/cluster/sinks.ts'
import { applyDevelopment, emptySystem, rolledOutSystem, sql } from '../src/cluster/system.ts'
import { REPOSITORY } from '../src/harness/apps.ts'
import { gatewayUrl, inTaproom, kubectl, rolledOut, shell } from '../src/harness/kubectl.ts'

const page = await readFile(new URL('deploy/cluster.md', REPOSITORY), 'utf8')

/** The password before a rotation, and after it. */
const PASSWORDS = ['first-password', 'next-password'] as const
const READER = 'reader'
const READER_OF_TOPICS = {
  KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
  KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
  KAFKA_SASL_USERNAME: READER,
  KAFKA_SASL_PASSWORD: PASSWORDS[0],
}
/** How long a token is good for, in seconds. */
const LIFETIME_SECONDS = 60
const ADDITIONS = `${TWO_OF_EACH}
  - name: claim-api
    behavior: merge
    literals: [MP_JWT_VERIFY_PUBLICKEY_LOCATION=http://key-host/keys]
  - {name: kafka-login, files: [login.conf]}
components: [DEPLOY/components/kafka-credentials]
patches: [{path: sasl-kafka.yaml}]
secretGenerator:
  - {name: movie-api-database, behavior: merge, options: {disableNameSuffixHash: true}}
`

const kafka = kafkaIn('taproom')

/** For the files that lines of the page name. */
let folder: string
let load: Load & AsyncDisposable
let changes: Changes
const [first, next] = [await createDevIssuer({ kid: 'first' }), await createDevIssuer({ kid: 'next' })]
let signer = first
let token = ''

const sign = () => signer.sign({ expiresInSeconds: LIFETIME_SECONDS })

/** Runs lines of the page where its files are. This Kafka has no TLS. */
async function follow(heading: string): Promise<void> {
  for (const line of documentedCommands(page, heading))
    await shell(line.replaceAll('SASL_SSL', 'SASL_PLAINTEXT'), folder)
}

async function statusWith(bearer: string): Promise<number> {
  const response = await fetch(`${await gatewayUrl()}/secure/claim`, { headers: { authorization: `Bearer ${bearer}` } })
  await response.arrayBuffer()
  return response.status
}

async function pricedBeers(): Promise<number> {
  return (await load.beers()).priced.length
}

let signing: NodeJS.Timeout

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-rotations-'))
  await emptySystem()
  await makeSinks()
  const credentials = Object.entries({
    'security-protocol': 'SASL_PLAINTEXT',
    'sasl-mechanism': 'SCRAM-SHA-512',
    'sasl-username': 'taproom',
    'sasl-password': PASSWORDS[0],
  }).map(([key, value]) => `--from-literal=${key}=${value}`)
  await inTaproom('delete', 'secret/kafka-credentials', '--ignore-not-found')
  await inTaproom('create', 'secret', 'generic', 'kafka-credentials', ...credentials)
  const files = saslKafkaFiles({ protocol: 'SASL_PLAINTEXT' })
  await applyDevelopment(await overlayWith('rotations', 'development', ADDITIONS, { files }))
  await kubectl(['-n', 'taproom', 'apply', '--filename', '-'], KEY_HOST)
  await inTaproom('rollout', 'status', 'statefulset/kafka', '--timeout=300s')
  for (const user of ['taproom', READER]) await kafka.setUser(user, PASSWORDS[0])
  await rolledOut('key-host')
  await publishKeys(first)
  await rolledOutSystem()
  token = await sign()
  signing = setInterval(() => void sign().then((signed) => (token = signed)), 1000)
  const parts = { part: process.env['CLUSTER_LOAD'], partOfEvents: process.env['CLUSTER_EVENTS'] }
  load = await startLoad({ ...parts, kafka: READER_OF_TOPICS, token: () => token })
  changes = changesUnder(load)
})

afterAll(async () => {
  clearInterval(signing)
  await load?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

describe('secrets are rotated without a failed request', () => {
  it('the signing key, as the page says', async () => {
    const row = await changes.during('signing key rotated', async () => {
      await publishKeys(first, next)
      await delay(KEYS_MAX_AGE_SECONDS * 1000)
      signer = next
      await delay(LIFETIME_SECONDS * 1000)
      await publishKeys(next)
      await delay(KEYS_MAX_AGE_SECONDS * 1000)
    })
    expect(row).toMatchObject(NONE_FAILED)
    expect(await statusWith(await next.sign())).toBe(200)
    // That key's tokens are refused by both replicas.
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => statusWith(await first.sign())))
    expect([...new Set(statuses)]).toEqual([401])
  })

  it("the database's password, by the lines of the page", async () => {
    const [, password] = PASSWORDS
    const administrator = { user: 'administrator', password }
    await sql(`create role administrator superuser login password '${password}'`)
    const heading = "### The database's password"
    const [role = '', itsRole = '', noLogin = ''] = documentedCommands(page, heading, 'sql')
    const row = await changes.during("database's password rotated", async () => {
      await sql(role.replace('NEW', password), administrator)
      await sql(itsRole, administrator)
      await writeFile(join(folder, 'database-url.txt'), `postgres://movie_api_2:${password}@postgresql:5432/movie-api`)
      await follow(heading)
      await sql(noLogin, administrator)
      // It is that role that they log in with now.
      await inTaproom('rollout', 'restart', 'deployment/movie-api')
      await rolledOut('movie-api')
    })
    expect(row).toMatchObject(NONE_FAILED)
    const users =
      "select distinct usename from pg_stat_activity where datname = 'movie-api' and usename <> 'administrator'"
    expect(await sql(users, administrator)).toBe('movie_api_2')
  })

  it("Kafka's password, by the lines of the page", async () => {
    const [, password] = PASSWORDS
    const row = await changes.during("Kafka's password rotated", async () => {
      await kafka.setUser('taproom-2', password)
      await writeFile(join(folder, 'password.txt'), password)
      await follow("### Kafka's password")
      await rolledOut('beer-generator', 'beer-stream', 'price-generator')
      await kafka.deleteUser('taproom')
      // It is that user that they log in with now.
      await inTaproom(
        'rollout',
        'restart',
        ...['beer-generator', 'beer-stream', 'price-generator'].map((name) => `deployment/${name}`),
      )
      await rolledOut('beer-generator', 'beer-stream', 'price-generator')
    })
    expect(row).toMatchObject(NONE_FAILED)
    const before = await pricedBeers()
    await eventually(async () => expect(await pricedBeers()).toBeGreaterThan(before), {
      timeoutMs: 60_000,
      intervalMs: 1000,
    })
  })

  it('every beer has one price, and every client saw every beer, once and in order', async () => {
    const { summary, findings } = await beersOutcome(load)
    console.log(`${summary}\n${changesTable(changes.rows, await load.events.deliveries())}`)
    expect(findings).toEqual([])
  })
})
