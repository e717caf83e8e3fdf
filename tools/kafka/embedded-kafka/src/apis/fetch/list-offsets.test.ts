import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { listOffsets } from './list-offsets.ts'

describe('ListOffsets', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker({
      defaultPartitions: 2,
    })
    broker.topics.create('t')
  })
  afterEach(() => broker.close())

  /** The codes of the answers for these partitions and times. */
  async function ask(version: number, ...wanted: readonly (readonly [number, number])[]): Promise<readonly number[]> {
    const partitions = wanted.map(([index, timestamp]) => ({ index, currentLeaderEpoch: -1, timestamp }))
    const request = { replicaId: -1, isolationLevel: 0, topics: [{ name: 't', partitions }], timeoutMs: 0 }
    const answered = await listOffsets.handle(request, makeContext(broker, version))
    const { topics } = answered as { topics: readonly { partitions: readonly { errorCode: number }[] }[] }
    return topics.flatMap((topic) => topic.partitions.map(({ errorCode }) => errorCode))
  }

  it.each([
    [-1, 1],
    [-2, 1],
    [-3, 7],
    [-4, 8],
    [-5, 9],
  ])('has the special time %i since version %i', async (timestamp, since) => {
    expect(await ask(since, [0, timestamp])).toEqual([ErrorCode.NONE])
    expect(await ask(since - 1, [0, timestamp])).toEqual([ErrorCode.UNSUPPORTED_VERSION])
    expect(await ask(10, [0, timestamp])).toEqual([ErrorCode.NONE])
  })

  it('has no other special times', async () => {
    expect(await ask(10, [0, -6], [1, -77])).toEqual([ErrorCode.UNSUPPORTED_VERSION, ErrorCode.UNSUPPORTED_VERSION])
  })

  it('refuses a partition that is asked for more than once', async () => {
    const twice = [
      [0, -1],
      [1, -1],
      [0, 5],
    ] as const
    expect(await ask(10, ...twice)).toEqual([ErrorCode.INVALID_REQUEST, ErrorCode.NONE, ErrorCode.INVALID_REQUEST])
  })
})
