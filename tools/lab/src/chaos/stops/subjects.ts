import { generateKeyPairSync } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer, startPostgres, startProcess, startTcpProxy, waitFor } from '@taproom/testkit'
import { APPS, type App, fileAt, KAFKA_MAIN } from '../../harness/apps.ts'
import { eventing } from '../../harness/manifests.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { askAlive, CONNECTIONS, leaveRequest, type Situation, STREAM } from './situation.ts'

/** A service that is stopped, with what it needs. */
export interface Subject {
  readonly app: App
  readonly env: Readonly<Record<string, string>>
  readonly situations: readonly Situation[]
}

const FILM = JSON.stringify({ title: '', episode_id: 1, producer: '', director: '', opening_crawl: '' })
const BEERS = JSON.stringify([{ name: 'Pale', tagline: 'A beer.', abv: 5 }])
const EVENT = {
  method: 'POST',
  headers: {
    'ce-id': '1',
    'ce-source': '/stops',
    'ce-type': 'stops',
    'ce-specversion': '1.0',
    'content-type': 'application/json',
  },
  body: '{}',
}

/** The services, and all that they need; of the sinks one, as they differ in a text. A dependency that hangs never answers. */
export async function openSubjects(opened: AsyncDisposableStack): Promise<readonly Subject[]> {
  const folder = await temporaryFolder(opened, 'taproom-stops')
  const silent = opened.use(await startHttpServer(() => undefined))
  const well = opened.use(
    await startHttpServer((req, res) => {
      const page = new URL(req.url ?? '', 'http://well').searchParams.get('page')
      res.end(page === null ? FILM : page === '1' ? BEERS : '[]')
    }),
  )
  const kafka = await openKafka(opened)
  const database = await openDatabase(opened)
  const { publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const films = { DATABASE_URL: `sqlite:${join(folder, 'films.sqlite')}`, FILM_SERVICE_URL: well.url }
  const spans = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, TELEMETRY_DELAY_MS: '1', OTEL_BSP_SCHEDULE_DELAY: '1' }
  const collector: Situation = {
    name: 'collector hangs',
    env: spans,
    async begin(url) {
      const before = silent.requests.length
      await waitFor('spans', async () => (await fetch(url)).text().then(() => silent.requests.length > before))
      return await askAlive(url)
    },
  }
  const subject = (app: App, env: Subject['env'], ...own: readonly Situation[]): Subject => ({
    app,
    env,
    situations: [...CONNECTIONS, ...own, collector],
  })
  const atSilent = { env: { BEER_SERVICE_URL: silent.url }, begin: askAlive }
  return [
    subject(
      APPS.claims,
      {
        MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
        MP_JWT_VERIFY_PUBLICKEY_ALGORITHM: 'ES256',
        MP_JWT_VERIFY_PUBLICKEY: publicKey,
      },
      {
        name: 'key set hangs',
        env: { MP_JWT_VERIFY_PUBLICKEY: '', MP_JWT_VERIFY_PUBLICKEY_LOCATION: `${silent.url}/keys` },
        begin: (url) => leaveRequest(`${url}/secure/claim`, { headers: { authorization: 'Bearer a.b.c' } }),
      },
    ),
    subject(
      APPS.films,
      films,
      {
        name: 'film service hangs',
        env: { FILM_SERVICE_URL: silent.url },
        begin: (url) => leaveRequest(`${url}/movie`),
      },
      {
        name: 'database hangs',
        env: { DATABASE_URL: database.url },
        async begin(url) {
          const hanging = database.hang()
          const request = await leaveRequest(`${url}/movie`)
          return both(hanging, request)
        },
      },
    ),
    subject(APPS.beers, { ...kafka.env, BEER_SERVICE_URL: well.url }, kafka.hangs, {
      name: 'beer service hangs',
      ...atSilent,
    }),
    subject(APPS.prices, kafka.env, kafka.hangs),
    subject(APPS.stream, { ...kafka.env, BEER_SERVICE_URL: well.url }, STREAM, kafka.hangs),
    subject(
      APPS.events,
      { ...kafka.env, MANIFESTS: await writeManifests(folder, silent.url), APPS_DIR: folder, KUBE_PORT: '0' },
      kafka.hangs,
      {
        name: 'sink hangs',
        async begin(url) {
          const answer = await fetch(`${url}/default/default`, EVENT)
          if (answer.status !== 202) throw new Error(`the event was answered with ${answer.status}`)
          return await askAlive(url)
        },
      },
    ),
    subject(APPS.aloha, {}),
  ]
}

function both(first: Disposable, second: Disposable): Disposable {
  const stack = new DisposableStack()
  stack.use(first)
  stack.use(second)
  return stack
}

/** A broker, which hangs while its process is stopped. */
async function openKafka(opened: AsyncDisposableStack) {
  const broker = opened.use(startProcess(fileAt(KAFKA_MAIN), { KAFKA_PORT: '0' }))
  const { host } = new URL(await broker.url())
  const send = (signal: NodeJS.Signals) => process.kill(broker.pid ?? 0, signal)
  const hangs: Situation = {
    name: 'Kafka hangs',
    async begin() {
      send('SIGSTOP')
      return { [Symbol.dispose]: () => void send('SIGCONT') }
    },
  }
  return { env: { KAFKA_BOOTSTRAP_SERVERS: host }, hangs }
}

/** A database behind a network that loses everything while it hangs. */
async function openDatabase(opened: AsyncDisposableStack) {
  const postgres = opened.use(await startPostgres())
  const url = new URL(postgres.url)
  const network = opened.use(await startTcpProxy(url))
  url.port = network.port
  return {
    url: url.href,
    hang(): Disposable {
      network.loseEverything(true)
      return { [Symbol.dispose]: () => network.loseEverything(false) }
    },
  }
}

/** A broker whose only trigger delivers to `uri`. */
async function writeManifests(folder: string, uri: string): Promise<string> {
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  const objects = [
    eventing('Broker', 'default'),
    eventing('Trigger', 'hanging', { broker: 'default', subscriber: { uri } }),
  ]
  await writeFile(join(manifests, 'objects.yaml'), objects.join('\n---\n'))
  return manifests
}
