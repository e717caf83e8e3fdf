import { expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { Api } from '../definition/api.ts'
import { createTopics } from './create-topics.ts'

it('of a name that comes twice in a request no topic is created, as in Apache Kafka', async () => {
  const broker = openTestBroker()
  const wanted = (name: string) => ({ name, numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] })
  const request = { topics: ['a', 'b', 'a'].map(wanted), validateOnly: false, timeoutMs: 1000 }
  expect(await (createTopics as Api).handle(request, makeContext(broker, 7))).toMatchObject({
    topics: [
      { name: 'a', errorCode: ErrorCode.INVALID_REQUEST, errorMessage: 'Duplicate topic name.' },
      { name: 'b', errorCode: ErrorCode.NONE },
    ],
  })
  expect(broker.topics.all.map(({ name }) => name)).toEqual(['b'])
  broker.close()
})
