import { type Client, hasSameNames, namesFrom } from '../modern/modern-member.ts'
import type { Subscription } from './consumer-member.ts'
import type { HeartbeatRequest } from './heartbeat.ts'

/** As for members of classic groups: half an hour. */
const MAX_REBALANCE_TIMEOUT_MS = 1_800_000

function rebalanceTimeoutOf(given: number): number {
  return Math.min(Math.max(0, given), MAX_REBALANCE_TIMEOUT_MS)
}

/** What a member says of itself, with what it has said before of what it leaves out. */
export function subscriptionOf(
  request: HeartbeatRequest,
  { clientId, clientHost }: Client,
  known: Subscription | undefined,
): Subscription {
  const { subscribedTopicNames, subscribedTopicRegex, rebalanceTimeoutMs } = request
  return {
    instanceId: request.instanceId ?? known?.instanceId ?? null,
    rackId: request.rackId ?? known?.rackId ?? null,
    clientId,
    clientHost,
    rebalanceTimeoutMs:
      rebalanceTimeoutMs === -1 ? (known?.rebalanceTimeoutMs ?? 0) : rebalanceTimeoutOf(rebalanceTimeoutMs),
    topicNames: namesFrom(subscribedTopicNames, known),
    topicRegex: subscribedTopicRegex === null ? (known?.topicRegex ?? null) : subscribedTopicRegex || null,
    assignor: request.serverAssignor ?? known?.assignor ?? null,
  }
}

export function wantsSameTopics(a: Subscription, b: Subscription): boolean {
  return a.topicRegex === b.topicRegex && hasSameNames(a, b)
}

export function isSameSubscription(a: Subscription, b: Subscription): boolean {
  const names = ['instanceId', 'rackId', 'clientId', 'clientHost', 'rebalanceTimeoutMs', 'assignor'] as const
  return wantsSameTopics(a, b) && names.every((name) => a[name] === b[name])
}

/** Whether a member says everything, and is to be told everything. */
export function isFull(request: HeartbeatRequest): boolean {
  const hasTopics = request.subscribedTopicNames !== null || request.subscribedTopicRegex !== null
  return request.rebalanceTimeoutMs !== -1 && hasTopics && request.topicPartitions !== null
}
