import { startPostgres } from '@taproom/testkit'
import { describe, it } from 'vitest'
import { createRandom } from '../../src/harness/random.ts'
import { temporaryFolder } from '../../src/harness/temporary-folder.ts'
import { expectExactlyOnce, type Fault, ordersUnderKills } from './orders-under-kills.ts'

const FAULTS = 30

/** Random faults, the same in each run. */
function faultsOf(kinds: readonly Fault[]): readonly Fault[] {
  const random = createRandom('orders')
  return Array.from({ length: FAULTS }, () => random.pick(kinds))
}

describe('an outbox with two instances and Kafka, for a while', () => {
  it('decisions 3.150: has every committed order in the topic exactly once with SQLite', async () => {
    await using opened = new AsyncDisposableStack()
    const file = `${await temporaryFolder(opened, 'taproom-orders')}/orders.sqlite`
    const faults = faultsOf(['service', 'kafka'])
    expectExactlyOnce(await ordersUnderKills({ database: { kind: 'sqlite', file }, faults }))
  })

  it('decisions 3.150: has every committed order in the topic exactly once with PostgreSQL', async () => {
    await using server = await startPostgres()
    const interruptDatabase = async () => {
      await server.stop()
      await server.start()
    }
    const faults = faultsOf(['service', 'kafka', 'database'])
    const database = { kind: 'postgres', url: server.url } as const
    expectExactlyOnce(await ordersUnderKills({ database, interruptDatabase, faults }))
  })
})
