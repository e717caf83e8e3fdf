import { freePort, startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { explainDown } from './kafka-down.ts'

const down = (...names: readonly string[]) => names.map((name) => ({ name, status: 'DOWN' as const }))
const FAILING = {
  orders: down('Database', 'Kafka incoming channel a'),
  prices: down('Kafka transform channel b', 'Event brokers'),
}

describe('explainDown', () => {
  it('has one sentence in place of all checks that wait for a Kafka that takes no connection', async () => {
    const servers = `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`
    expect(await explainDown(FAILING, servers)).toEqual({
      failing: { orders: down('Database') },
      kafka: `Kafka at ${servers} does not answer`,
    })
  })

  it('counts an address with a port that cannot be as one that takes no connection', async () => {
    const { kafka } = await explainDown(FAILING, '127.0.0.1:99999')
    expect(kafka).toBe('Kafka at 127.0.0.1:99999 does not answer')
  })

  it('leaves the checks as they are while one of its addresses takes connections', async () => {
    await using server = await startHttpServer((_request, response) => response.end())
    const servers = `127.0.0.1:${await freePort()}, 127.0.0.1:${server.port}`
    expect(await explainDown(FAILING, servers)).toEqual({ failing: FAILING, kafka: undefined })
  })

  it('does not ask Kafka where no check waits for it', async () => {
    const failing = { orders: down('Database') }
    expect(await explainDown(failing, 'no address')).toEqual({ failing, kafka: undefined })
  })
})
