import { eventually, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { Destination } from '../src/index.ts'
import { postgres, sqlite } from './databases.ts'
import { MemoryDestination } from './memory-destination.ts'
import { useOutboxes } from './opened-outboxes.ts'

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('the leader of an outbox with %s', (_kind, start) => {
  const { database, connect, open, send, lease, rowCount, healthOf } = useOutboxes(start)

  it('deletes, and does not write again, what a killed leader wrote without deleting it', async () => {
    const destination = new MemoryDestination()
    await using other = connect()
    const first = open(destination, { on: other })
    destination.afterCommit = () => void other.knex.destroy()
    await waitFor('a leader', async () => (await first.state()).isLeader)
    await send(first, 'a1', 'a2')
    await waitFor('the write', () => destination.messages.length === 2)
    expect(await rowCount()).toBe(2)
    destination.afterCommit = () => undefined
    await using second = open(destination)
    await waitFor('a new leader', async () => (await second.state()).isLeader)
    await send(second, 'a3')
    await waitFor('an empty table', async () => (await rowCount()) === 0)
    expect(destination.texts).toEqual(['a1', 'a2', 'a3'])
    await first[Symbol.asyncDispose]()
  })

  it('does not take the number of a batch for its own when the database is a new one', async () => {
    const destination = new MemoryDestination()
    await using before = open(destination)
    await send(before, 'a')
    await waitFor('the message', () => destination.messages.length === 1)
    await before[Symbol.asyncDispose]()
    await lease().delete()
    destination.beforeCommit = () => {
      destination.beforeCommit = () => undefined
      throw new Error('killed after the batch was noted')
    }
    await using outbox = open(destination)
    await send(outbox, 'b')
    await waitFor('the second message', () => destination.messages.length === 2)
    expect(destination.texts).toEqual(['a', 'b'])
  })

  it('is delivered by one instance, and by the next one as soon as that is closed', async () => {
    const destination = new MemoryDestination()
    const first = open(destination)
    await waitFor('a leader', async () => (await first.state()).isLeader)
    await using other = connect()
    await using second = open(destination, { on: other })
    await send(second, 'a')
    await waitFor('the message', () => destination.messages.length === 1)
    expect((await second.state()).isLeader).toBe(false)
    await first[Symbol.asyncDispose]()
    await send(second, 'b')
    await waitFor('the second message', () => destination.messages.length === 2)
    await waitFor('both counters', () => first.counters.delivered + second.counters.delivered === 2)
  })

  it('gives up a lease that another instance has taken', async () => {
    const destination = new MemoryDestination()
    await using outbox = open(destination)
    await waitFor('a leader', async () => (await outbox.state()).isLeader)
    await lease().update({ holder: 'another', beat: 1000 })
    await waitFor('the end of the lease', async () => !(await outbox.state()).isLeader)
    expect(outbox.counters.retries).toBe(0)
  })

  it('begins no query after it was closed, whatever its destination does', async () => {
    const writing = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const destination = new MemoryDestination()
    const stuck: Destination = {
      async open(outbox) {
        const session = await destination.open(outbox)
        return {
          ...session,
          async write(batch, signal) {
            writing.resolve()
            await ended.promise
            return await session.write(batch, signal)
          },
        }
      },
    }
    let queries = 0
    const query: typeof database.query = (ask) => {
      queries += 1
      return database.query(ask)
    }
    const outbox = open(stuck, { on: { query } })
    await send(outbox, 'a')
    await writing.promise
    await outbox[Symbol.asyncDispose]()
    const before = queries
    ended.resolve()
    await waitFor('the write', () => destination.messages.length === 1)
    await using next = open(destination)
    await waitFor('the next leader', async () => (await next.state()).isLeader)
    expect(queries).toBe(before)
    await waitFor('an empty table', async () => (await rowCount()) === 0)
    expect(destination.texts).toEqual(['a'])
  })

  it('shows no reason any more when a follower has its database again', async () => {
    const destination = new MemoryDestination()
    await using leader = open(destination)
    await waitFor('a leader', async () => (await leader.state()).isLeader)
    let isAway = true
    const query: typeof database.query = async (ask) => {
      if (isAway) throw new Error('the database is away')
      return await database.query(ask)
    }
    await using follower = open(destination, { on: { query } })
    await waitFor('a failure', () => follower.counters.retries > 0)
    isAway = false
    await eventually(async () => expect((await healthOf(follower)).data).not.toHaveProperty('reason'))
    expect((await follower.state()).isLeader).toBe(false)
  })
})
