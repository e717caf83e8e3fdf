import { ErrorCode } from '../../protocol/error-code.ts'
import { createAcls } from '../acls/create-acls.ts'
import { deleteAcls } from '../acls/delete-acls.ts'
import { describeAcls } from '../acls/describe-acls.ts'
import { describeCluster } from '../cluster/describe-cluster.ts'
import { describeQuorum } from '../cluster/describe-quorum.ts'
import { findCoordinator } from '../cluster/find-coordinator.ts'
import { listConfigResources } from '../cluster/list-config-resources.ts'
import { unregisterBroker } from '../cluster/unregister-broker.ts'
import { updateFeatures } from '../cluster/update-features.ts'
import { alterConfigs } from '../config-admin/alter-configs.ts'
import { RESOURCE } from '../config-admin/config-resource.ts'
import { describeConfigs } from '../config-admin/describe-configs.ts'
import { incrementalAlterConfigs } from '../config-admin/incremental-alter-configs.ts'
import { forPartitions } from '../definition/by-topic.ts'
import { alterClientQuotas } from '../quotas/alter-client-quotas.ts'
import { describeClientQuotas } from '../quotas/describe-client-quotas.ts'
import { alterPartitionReassignments } from '../replica-admin/alter-partition-reassignments.ts'
import { electLeaders } from '../replica-admin/elect-leaders.ts'
import { listPartitionReassignments } from '../replica-admin/list-partition-reassignments.ts'
import { alterUserScramCredentials } from '../security/alter-user-scram-credentials.ts'
import { describeUserScramCredentials } from '../security/describe-user-scram-credentials.ts'
import { saslAuthenticate } from '../security/sasl-authenticate.ts'
import { saslHandshake } from '../security/sasl-handshake.ts'
import { alterReplicaLogDirs } from '../topic-admin/alter-replica-log-dirs.ts'
import { describeLogDirs } from '../topic-admin/describe-log-dirs.ts'
import { forCluster, guardOf, type May, open, split } from './guard.ts'

const { CLUSTER_AUTHORIZATION_FAILED: NOT_CLUSTER, TOPIC_AUTHORIZATION_FAILED: NOT_TOPIC } = ErrorCode
const REFUSED = { errorCode: NOT_CLUSTER, errorMessage: 'Cluster authorization failed.' }
const GROUP_COORDINATOR = 0

interface Configured {
  readonly resourceType: number
  readonly resourceName: string
}

/** The operation on what a resource belongs to: a topic, a group, else the cluster. */
function mayConfigure(may: May, operation: 'DESCRIBE_CONFIGS' | 'ALTER_CONFIGS') {
  return ({ resourceType, resourceName }: Configured): boolean => {
    if (resourceType === RESOURCE.topic) return may(operation, 'TOPIC', resourceName)
    if (resourceType === RESOURCE.group) return may(operation, 'GROUP', resourceName)
    return may(operation, 'CLUSTER')
  }
}

function configRefusal({ resourceType, resourceName }: Configured) {
  const errorCode =
    resourceType === RESOURCE.topic
      ? NOT_TOPIC
      : resourceType === RESOURCE.group
        ? ErrorCode.GROUP_AUTHORIZATION_FAILED
        : NOT_CLUSTER
  return { errorCode, errorMessage: null, resourceType, resourceName }
}

export const clusterGuards = [
  open(saslHandshake),
  open(saslAuthenticate),
  open(describeCluster),
  guardOf(findCoordinator, async (request, { may, handle, context }) => {
    const isGroup = request.keyType === GROUP_COORDINATOR
    const isSeen = (key: string) => may('DESCRIBE', isGroup ? 'GROUP' : 'TRANSACTIONAL_ID', key)
    const errorCode = isGroup ? ErrorCode.GROUP_AUTHORIZATION_FAILED : ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    const nowhere = { nodeId: -1, host: '', port: -1, errorCode, errorMessage: null }
    if (context.version < 4 && !isSeen(request.key)) return { ...nowhere, coordinators: [] }
    const { allowed, refused } = split(request.coordinatorKeys, isSeen)
    const answer = await handle({ ...request, coordinatorKeys: allowed })
    return { ...answer, coordinators: [...answer.coordinators, ...refused.map((key) => ({ key, ...nowhere }))] }
  }),
  forCluster(describeQuorum, 'DESCRIBE', () => ({ errorCode: NOT_CLUSTER, topics: [], nodes: [] })),
  forCluster(listConfigResources, 'DESCRIBE_CONFIGS', () => ({ errorCode: NOT_CLUSTER, resources: [] })),
  forCluster(describeLogDirs, 'DESCRIBE', () => ({ errorCode: NOT_CLUSTER, results: [] })),
  guardOf(describeConfigs, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.resources, mayConfigure(may, 'DESCRIBE_CONFIGS'))
    const { results } = await handle({ ...request, resources: allowed })
    return { results: [...results, ...refused.map((each) => ({ ...configRefusal(each), configs: [] }))] }
  }),
  guardOf(alterConfigs, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.resources, mayConfigure(may, 'ALTER_CONFIGS'))
    const { responses } = await handle({ ...request, resources: allowed })
    return { responses: [...responses, ...refused.map(configRefusal)] }
  }),
  guardOf(incrementalAlterConfigs, async (request, { may, handle }) => {
    const { allowed, refused } = split(request.resources, mayConfigure(may, 'ALTER_CONFIGS'))
    const { responses } = await handle({ ...request, resources: allowed })
    return { responses: [...responses, ...refused.map(configRefusal)] }
  }),
  forCluster(electLeaders, 'ALTER', () => ({ errorCode: NOT_CLUSTER, topics: [] })),
  forCluster(alterPartitionReassignments, 'ALTER', () => ({
    ...REFUSED,
    allowReplicationFactorChange: true,
    topics: [],
  })),
  forCluster(listPartitionReassignments, 'DESCRIBE', () => ({ ...REFUSED, topics: [] })),
  forCluster(describeUserScramCredentials, 'DESCRIBE', () => ({ ...REFUSED, results: [] })),
  forCluster(alterUserScramCredentials, 'ALTER', (request) => {
    const users = new Set([...request.deletions, ...request.upsertions].map(({ name }) => name))
    return { results: [...users].map((user) => ({ user, ...REFUSED })) }
  }),
  forCluster(describeClientQuotas, 'DESCRIBE_CONFIGS', () => ({ ...REFUSED, entries: null })),
  forCluster(alterClientQuotas, 'ALTER_CONFIGS', ({ entries }) => ({
    entries: entries.map(({ entity }) => ({ ...REFUSED, entity })),
  })),
  forCluster(updateFeatures, 'ALTER', () => ({ ...REFUSED, results: [] })),
  forCluster(unregisterBroker, 'ALTER', () => REFUSED),
  forCluster(alterReplicaLogDirs, 'ALTER', ({ dirs }) => ({
    results: dirs.flatMap(({ topics }) => forPartitions(topics, (index) => ({ index, errorCode: NOT_CLUSTER }))),
  })),
  forCluster(describeAcls, 'DESCRIBE', () => ({ ...REFUSED, resources: [] })),
  forCluster(createAcls, 'ALTER', ({ creations }) => ({ results: creations.map(() => REFUSED) })),
  forCluster(deleteAcls, 'ALTER', ({ filters }) => ({
    filterResults: filters.map(() => ({ ...REFUSED, matchingAcls: [] })),
  })),
]
