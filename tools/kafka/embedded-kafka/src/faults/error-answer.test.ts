import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../protocol/error-code.ts'
import { withError, withOtherError } from './error-answer.ts'

const CODE = ErrorCode.NOT_COORDINATOR

const partition = (index: number, errorCode = 0) => ({ index, errorCode })
const fetched = (...topics: object[]) => ({ errorCode: 0, sessionId: 7, topics })

describe('withError', () => {
  it('puts the error wherever an answer has one, and leaves out the words of another', () => {
    const answer = { errorCode: 0, errorMessage: 'fine', groups: [{ groupId: 'g', errorCode: 0 }] }
    const spoiled = { errorCode: 16, errorMessage: null, groups: [{ groupId: 'g', errorCode: 16 }] }
    expect(withError('ListGroups', answer, CODE)).toEqual(spoiled)
  })

  it('puts it into one topic, by name or id, or into one partition of it', () => {
    const topics = [
      { name: 'a', topicId: '', errorCode: 0, partitions: [partition(0), partition(1)] },
      { name: '', topicId: 'B', errorCode: 0, partitions: [partition(0)] },
    ]
    const put = (topic: string, topicId?: string, index?: number) =>
      withError('Produce', { topics }, CODE, { topic, topicId, partition: index })
    expect(put('a')).toEqual({
      topics: [{ ...topics[0], errorCode: 16, partitions: [partition(0, 16), partition(1, 16)] }, topics[1]],
    })
    expect(put('a', undefined, 1)).toEqual({
      topics: [{ ...topics[0], partitions: [partition(0), partition(1, 16)] }, topics[1]],
    })
    expect(put('b', 'B')).toEqual({
      topics: [topics[0], { ...topics[1], errorCode: 16, partitions: [partition(0, 16)] }],
    })
  })

  it('puts it everywhere when the answer does not name the place', () => {
    const place = { topic: 'a', topicId: undefined, partition: undefined }
    expect(withError('Heartbeat', { errorCode: 0 }, CODE, place)).toEqual({ errorCode: 16 })
  })

  it('leaves the session of a Fetch, unless there is nothing else to fail', () => {
    const topic = { name: 'a', partitions: [partition(0)] }
    expect(withError('Fetch', fetched(topic), CODE)).toEqual(fetched({ name: 'a', partitions: [partition(0, 16)] }))
    expect(withError('Fetch', fetched(), CODE)).toEqual({ ...fetched(), errorCode: 16 })
  })

  it('keeps what does not change, as codecs know absent fields by identity', () => {
    const currentLeader = { leaderId: -1 }
    const records = Buffer.from('records')
    const spoiled = withError('Produce', { topics: [{ ...partition(0), currentLeader, records }] }, CODE)
    const { topics } = spoiled as { topics: [{ currentLeader: object; records: Buffer }] }
    expect(topics[0].currentLeader).toBe(currentLeader)
    expect(topics[0].records).toBe(records)
  })
})

describe('withOtherError', () => {
  it('changes the errors of a refusal, and where it has none all', () => {
    const refusal = { errorCode: 0, topics: [partition(0, 29), partition(1, 29)] }
    expect(withOtherError(refusal, CODE)).toEqual({ errorCode: 0, topics: [partition(0, 16), partition(1, 16)] })
    expect(withOtherError({ errorCode: 0, groups: [] }, CODE)).toEqual({ errorCode: 16, groups: [] })
  })
})
