import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeContext } from '../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../tests/open-test-broker.ts'
import { consumerGroupHeartbeat } from '../apis/consumer-groups/consumer-group-heartbeat.ts'
import type { Api } from '../apis/definition/api.ts'
import { shareAcknowledge } from '../apis/share-groups/share-acknowledge.ts'
import { shareFetch } from '../apis/share-groups/share-fetch.ts'
import { shareGroupHeartbeat } from '../apis/share-groups/share-group-heartbeat.ts'
import { ErrorCode } from '../protocol/error-code.ts'

let broker: SoleBroker
beforeEach(() => {
  broker = openTestBroker()
})
afterEach(() => broker.close())

const member = { groupId: 'g', memberId: 'm', memberEpoch: 0, shareSessionEpoch: 0, topics: [], forgottenTopics: [] }

it.each([
  ['group.version', consumerGroupHeartbeat],
  ['share.version', shareGroupHeartbeat],
  ['share.version', shareFetch],
  ['share.version', shareAcknowledge],
])('decisions 3.90: a cluster that has lowered %s refuses its requests', async (feature, api) => {
  broker.features.update([{ feature, level: 0, upgradeType: 2 }], { validateOnly: false })
  const { maxVersion } = api
  expect(await (api as Api).handle(member, makeContext(broker, maxVersion))).toMatchObject({
    errorCode: ErrorCode.UNSUPPORTED_VERSION,
  })
})
