import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BEGIN, numbered, openKafkaAndConsole } from './fixtures/kafka.ts'

const { console, kafka } = await openKafkaAndConsole()

/** A group without members that has read three records of partition 0, written at BEGIN and one and two seconds later. */
async function readGroup() {
  const topic = await kafka.makeTopic(2)
  const groupId = `g-${topic}`
  const timed = [0, 1000, 2000].map((ms) => ({ value: `at ${ms}`, partition: 0, timestamp: String(BEGIN + ms) }))
  await kafka.write(topic, [...timed, { value: 'other', partition: 1 }])
  await (await kafka.reading(groupId, topic, 3))[Symbol.asyncDispose]()
  const set = (given: object) => console.post(`/groups/${groupId}/offsets`, { topic, ...given })
  const stored = async () => {
    const { body } = await console.get('/groups')
    const group = body.items.find((each: { groupId: string }) => each.groupId === groupId)
    return group.offsets.map(({ committed }: { committed: string | null }) => committed)
  }
  return { topic, groupId, set, stored }
}

describe('offsets of a group', () => {
  it('decisions 3.117: are set when the group has no members, and are 409 while it has', async () => {
    const { topic, groupId, set } = await readGroup()
    const first = async (to: unknown) => (await set({ to })).body.items[0].to
    expect(await first('earliest')).toBe('0')
    expect(await first(BEGIN + 1000)).toBe('1')
    expect(await first('latest')).toBe('3')
    await using _member = await kafka.reading(groupId, topic, 0)
    for (const dryRun of [false, true]) {
      const refused = await set({ to: 'earliest', dryRun })
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/Stable.*\(test\).*stop/) } })
    }
  })

  it('are set by number in one partition, and a dry run changes nothing', async () => {
    const { set, stored } = await readGroup()
    const before = await stored()
    const wanted = { partition: 0, offset: '1' }
    const changes = { items: [{ partition: 0, committed: '3', to: '1' }] }
    const tried = await set({ ...wanted, dryRun: true })
    expect(tried).toMatchObject({ status: 200, body: { ...changes, isDryRun: true } })
    expect(tried.body.items).toHaveLength(1)
    expect(await stored()).toEqual(before)
    expect(await set(wanted)).toMatchObject({ status: 200, body: { ...changes, isDryRun: false } })
    expect((await stored())[0]).toBe('1')
  })

  it('of a trigger are 409 while its event platform reads, and are set when it does not', async () => {
    const [broker, group] = [`knative-broker.default.${randomUUID()}`, `knative-trigger.default.${randomUUID()}`]
    expect(await console.post('/topics', { name: broker })).toMatchObject({ status: 204 })
    await kafka.write(broker, numbered(3))
    await (await kafka.reading(group, broker, 3))[Symbol.asyncDispose]()
    const set = () => console.post(`/groups/${group}/offsets`, { topic: broker, to: 'earliest' })
    {
      await using _platform = await kafka.reading(broker, broker, 3, { commits: false })
      expect(await set()).toMatchObject({
        status: 409,
        body: { detail: expect.stringMatching(/stop event-platform first$/) },
      })
    }
    expect(await set()).toMatchObject({ status: 200, body: { items: [{ committed: '3', to: '0' }] } })
  })

  it('of no group are 404', async () => {
    const topic = await kafka.makeTopic()
    expect(await console.post(`/groups/${randomUUID()}/offsets`, { topic, to: 'earliest' })).toMatchObject({
      status: 404,
    })
  })
})

describe('offsets of a group that are refused', async () => {
  const { set } = await readGroup()

  it.each([
    [{ to: 'tomorrow' }, 400, 'to is "tomorrow": expected "earliest"'],
    [{}, 400, 'expected one of to and offset'],
    [{ to: 'latest', partition: 0, offset: '1' }, 400, 'expected one of to and offset'],
    [{ offset: '1' }, 400, 'offset needs a partition'],
    [{ offset: 1, partition: 0 }, 400, 'offset is 1: expected an offset: a text of digits'],
    [{ offset: '9223372036854775808', partition: 0 }, 400, 'offset is "9223372036854775808"'],
    [{ offset: '4', partition: 0 }, 400, 'offset is "4": expected one from 0 to 3, which partition 0'],
    [{ to: 'latest', partition: 7 }, 404, 'no partition 7'],
    [{ to: 'latest', dryRun: 'yes' }, 400, 'dryRun is "yes": expected true or false'],
    [{ to: 'latest', topic: 'none' }, 404, 'topic "none" does not exist'],
  ])('of %j are %i', async (given, status, detail) => {
    expect(await set(given)).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
  })
})
