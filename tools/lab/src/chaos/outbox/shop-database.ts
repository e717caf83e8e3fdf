import { join } from 'node:path'
import type { DatabaseConfig } from '@taproom/database'
import { startPostgres } from '@taproom/testkit'
import type { Victim } from '../../harness/kill-loop.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'

/** Where the orders are stored. */
export interface ShopStorage {
  readonly config: DatabaseConfig
  /** `DATABASE_URL` of the services. */
  readonly url: string
  /** The server; a file has none. */
  readonly victims: readonly Victim[]
}

/** An SQLite file that goes with the stack. */
export async function startSqlite(opened: AsyncDisposableStack): Promise<ShopStorage> {
  const file = join(await temporaryFolder(opened, 'chaos-orders'), 'orders.sqlite')
  return { config: { kind: 'sqlite', file }, url: `sqlite:${file}`, victims: [] }
}

/** PostgreSQL, which is killed. */
export async function startServer(opened: AsyncDisposableStack): Promise<ShopStorage> {
  const server = opened.use(await startPostgres())
  let isRunning = true
  const victim: Victim = {
    name: 'postgresql',
    get isRunning() {
      return isRunning
    },
    async kill() {
      isRunning = false
      await server.kill()
    },
    async start() {
      if (isRunning) return
      await server.start()
      isRunning = true
    },
  }
  return { config: { kind: 'postgres', url: server.url }, url: server.url, victims: [victim] }
}
