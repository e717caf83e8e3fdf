import { failedJoin, failedSync } from '../groups/join-and-sync.ts'
import type { ErrorCode } from '../protocol/error-code.ts'

interface Refused {
  readonly request: unknown
  readonly version: number
  readonly errorCode: ErrorCode
}

interface Topics {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly (number | { index: number })[] }[]
}

const justTheCode = ({ errorCode }: Refused) => ({ errorCode })

const noProducer = ({ errorCode }: Refused) => ({ errorCode, producerId: -1, producerEpoch: -1 })

/** For each partition that the request names. */
function forPartitions({ request, errorCode }: Refused) {
  const { topics } = request as Topics
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((each) => ({ index: typeof each === 'number' ? each : each.index, errorCode })),
    })),
  }
}

function findCoordinator({ request, errorCode }: Refused) {
  const { coordinatorKeys } = request as { readonly coordinatorKeys: readonly string[] }
  const nowhere = { nodeId: -1, host: '', port: -1, errorCode, errorMessage: null }
  return { ...nowhere, coordinators: coordinatorKeys.map((key) => ({ key, ...nowhere })) }
}

function joinGroup({ request, errorCode, version }: Refused) {
  const { memberId } = request as { readonly memberId: string }
  return { ...failedJoin(errorCode, memberId), protocolName: version >= 7 ? null : '' }
}

/** Version 1 has no code but those of partitions. */
function offsetFetch({ request, errorCode, version }: Refused) {
  const { groups, topics } = request as {
    readonly groups: readonly { readonly groupId: string }[]
    readonly topics: readonly { readonly name: string; readonly partitions: readonly number[] }[] | null
  }
  const nothing = { offset: -1, leaderEpoch: -1, metadata: '', errorCode }
  const found = (topics ?? []).map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((index) => ({ index, ...nothing })),
  }))
  return {
    errorCode,
    topics: version < 2 ? found : [],
    groups: groups.map(({ groupId }) => ({ groupId, topics: [], errorCode })),
  }
}

/** How a request as a whole is refused, by the name of its API. */
const ANSWERS: Readonly<Record<string, (refused: Refused) => unknown>> = {
  OffsetCommit: forPartitions,
  OffsetFetch: offsetFetch,
  FindCoordinator: findCoordinator,
  JoinGroup: joinGroup,
  SyncGroup: ({ errorCode }) => failedSync(errorCode),
  Heartbeat: justTheCode,
  LeaveGroup: ({ errorCode }) => ({ errorCode, members: [] }),
  InitProducerId: noProducer,
  AddPartitionsToTxn: (refused) => ({ ...forPartitions(refused), errorCode: refused.errorCode, transactions: [] }),
  AddOffsetsToTxn: justTheCode,
  EndTxn: noProducer,
  TxnOffsetCommit: forPartitions,
}

/** APIs whose requests can be refused as a whole. */
export const WHOLE_APIS: readonly string[] = Object.keys(ANSWERS)

/** The answer that refuses a request; undefined where there is none for the API. */
export function refusedAnswer(api: string, refused: Refused): unknown {
  return ANSWERS[api]?.(refused)
}
