import { expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { Api } from '../definition/api.ts'
import { createPartitions } from './create-partitions.ts'

it.each([
  [2, 'Topic already has 2 partition(s).'],
  [1, 'The topic beers currently has 2 partition(s); 1 would not be an increase.'],
])('%i partitions of a topic with two are refused in the words of Apache Kafka', async (count, errorMessage) => {
  const broker = openTestBroker()
  broker.topics.create('beers', { partitions: 2 })
  const request = { topics: [{ name: 'beers', count, assignments: null }], timeoutMs: 1000, validateOnly: false }
  expect(await (createPartitions as Api).handle(request, makeContext(broker, 3))).toMatchObject({
    results: [{ name: 'beers', errorCode: ErrorCode.INVALID_PARTITIONS, errorMessage }],
  })
  broker.close()
})
