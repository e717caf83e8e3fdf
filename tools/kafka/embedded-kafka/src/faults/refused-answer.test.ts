import { describe, expect, it } from 'vitest'
import { apis } from '../apis/apis.ts'
import { versionOf } from '../apis/definition/api.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { refusedAnswer, WHOLE_APIS } from './refused-answer.ts'

/** As a client may have sent it, with one of everything. */
const REQUEST = {
  memberId: 'm',
  coordinatorKeys: ['g'],
  groups: [{ groupId: 'g' }],
  topics: [{ name: 't', partitions: [0, { index: 1 }] }],
}

describe('refusedAnswer', () => {
  const all = [...apis.values()].filter(({ name }) => WHOLE_APIS.includes(name))

  it('is there for every API it names', () => {
    expect(all.map(({ name }) => name).sort()).toEqual(WHOLE_APIS.toSorted())
  })

  for (const api of all) {
    it(`has the error where clients of every version of ${api.name} look for it`, () => {
      for (let number = api.minVersion; number <= api.maxVersion; number += 1) {
        const topics = api.name === 'OffsetFetch' ? [{ name: 't', partitions: [0] }] : REQUEST.topics
        const refused = { request: { ...REQUEST, topics }, version: number, errorCode: ErrorCode.NOT_COORDINATOR }
        const writer = new Writer()
        api.response.write(writer, refusedAnswer(api.name, refused), versionOf(api, number))
        const bytes = Buffer.concat(writer.finish())
        const answer = api.response.read(new Reader(bytes), versionOf(api, number))
        expect(JSON.stringify(answer), `version ${number}`).toContain('"errorCode":16')
      }
    })
  }
})
