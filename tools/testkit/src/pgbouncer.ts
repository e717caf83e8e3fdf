import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@taproom/processes'
import { findProgram } from './find-program.ts'
import { waitFor } from './wait-for.ts'

/** PgBouncer in transaction mode. */
export interface TestPgBouncer extends AsyncDisposable {
  /** `postgres://…`, for `DATABASE_URL`. */
  readonly url: string
  /** Breaks all connections and starts it again on the same port. */
  restart(): Promise<void>
}

/** Connections to the server: fewer than tests have clients. */
const POOL_SIZE = 2

/**
 * Starts the program `pgbouncer` in front of a PostgreSQL, with few connections to the server, so that clients share them at once. It uses
 * user and password of `postgresUrl`. For tests with the tag `pgbouncer`.
 *
 * @throws {Error} when the program is not on `PATH`
 */
export async function startPgBouncer(postgresUrl: string): Promise<TestPgBouncer> {
  const program = findProgram('pgbouncer')
  if (program === undefined) throw new Error('pgbouncer is not on PATH')
  const url = new URL(postgresUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'taproom-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const isRoot = process.getuid?.() === 0
  const server = `host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}`
  await writeFile(
    file,
    `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
${isRoot ? 'user = daemon' : ''}
`,
  )
  // PgBouncer does not run as root, and the folder is its user's alone.
  await chmod(folder, 0o755)
  const start = async () => {
    const child = spawn(program, [file], { stdio: 'ignore' })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    const ended = once(child, 'exit').finally(() => process.off('exit', kill))
    await waitFor('PgBouncer to accept connections', () => accepts(port))
    return async () => {
      kill()
      await ended
    }
  }
  let stop = await start()
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    async restart() {
      await stop()
      stop = await start()
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
