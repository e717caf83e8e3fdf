import { expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker } from '../../../tests/open-test-broker.ts'
import type { Api } from '../definition/api.ts'
import { offsetCommit } from './offset-commit.ts'
import { offsetFetch } from './offset-fetch.ts'

it('gives empty metadata for an offset that was committed with none, as Apache Kafka does', async () => {
  const broker = openTestBroker()
  broker.topics.create('t')
  const ask = (api: Api, request: unknown) => api.handle(request, makeContext(broker, 5))
  const offset = { index: 0, offset: 3, leaderEpoch: -1, metadata: null }
  const committer = { groupId: 'g', memberId: '', generationId: -1, groupInstanceId: null }
  await ask(offsetCommit, { ...committer, topics: [{ name: 't', partitions: [offset] }] })
  const wanted = { groupId: 'g', topics: [{ name: 't', partitions: [0] }], groups: [], requireStable: false }
  expect(await ask(offsetFetch, wanted)).toMatchObject({
    topics: [{ name: 't', partitions: [{ index: 0, offset: 3, metadata: '' }] }],
  })
  broker.close()
})
