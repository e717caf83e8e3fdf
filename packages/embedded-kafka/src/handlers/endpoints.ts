import { apiVersions } from '../protocol/api-versions.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { alterConfigsEndpoint, describeConfigsEndpoint, incrementalAlterConfigsEndpoint } from './config-admin.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { fetchEndpoint } from './fetch.ts'
import { deleteGroupsEndpoint, describeGroupsEndpoint, listGroupsEndpoint } from './group-admin.ts'
import { listOffsetsEndpoint, offsetForLeaderEpochEndpoint } from './list-offsets.ts'
import { heartbeatEndpoint, joinGroupEndpoint, leaveGroupEndpoint, syncGroupEndpoint } from './membership.ts'
import { describeClusterEndpoint, findCoordinatorEndpoint, metadataEndpoint } from './metadata.ts'
import { offsetCommitEndpoint, offsetDeleteEndpoint, offsetFetchEndpoint } from './offsets.ts'
import { produceEndpoint } from './produce.ts'
import {
  createPartitionsEndpoint,
  createTopicsEndpoint,
  deleteRecordsEndpoint,
  deleteTopicsEndpoint,
} from './topic-admin.ts'
import {
  describeProducersEndpoint,
  describeTransactionsEndpoint,
  listTransactionsEndpoint,
} from './transaction-admin.ts'
import {
  addOffsetsToTxnEndpoint,
  addPartitionsToTxnEndpoint,
  endTxnEndpoint,
  initProducerIdEndpoint,
  txnOffsetCommitEndpoint,
} from './transactions.ts'

/** ApiVersions: every API with the versions spoken here, also to a client that asked in a version that is not. */
const apiVersionsEndpoint: Endpoint = endpoint(apiVersions, (_request, { version }) => ({
  errorCode: version > apiVersions.maxVersion ? ErrorCode.UNSUPPORTED_VERSION : ErrorCode.NONE,
  apiKeys: [...endpoints.values()].map(({ api }) => ({
    apiKey: api.key,
    minVersion: api.minVersion,
    maxVersion: api.maxVersion,
  })),
}))

/** Everything this broker answers, by API key. */
export const endpoints: ReadonlyMap<number, Endpoint> = new Map(
  [
    produceEndpoint,
    fetchEndpoint,
    listOffsetsEndpoint,
    metadataEndpoint,
    offsetCommitEndpoint,
    offsetFetchEndpoint,
    findCoordinatorEndpoint,
    joinGroupEndpoint,
    heartbeatEndpoint,
    leaveGroupEndpoint,
    syncGroupEndpoint,
    describeGroupsEndpoint,
    listGroupsEndpoint,
    apiVersionsEndpoint,
    createTopicsEndpoint,
    deleteTopicsEndpoint,
    deleteRecordsEndpoint,
    initProducerIdEndpoint,
    offsetForLeaderEpochEndpoint,
    addPartitionsToTxnEndpoint,
    addOffsetsToTxnEndpoint,
    endTxnEndpoint,
    txnOffsetCommitEndpoint,
    describeConfigsEndpoint,
    alterConfigsEndpoint,
    createPartitionsEndpoint,
    deleteGroupsEndpoint,
    incrementalAlterConfigsEndpoint,
    offsetDeleteEndpoint,
    describeClusterEndpoint,
    describeProducersEndpoint,
    describeTransactionsEndpoint,
    listTransactionsEndpoint,
  ].map((each) => [each.api.key, each]),
)
