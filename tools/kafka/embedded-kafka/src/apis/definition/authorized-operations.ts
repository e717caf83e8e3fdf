import { CLUSTER_NAME, OPERATIONS, type Operation, type ResourceType } from '../../security/acl/acl.ts'
import type { RequestContext } from './api.ts'

/** The answer where nobody asked. */
const NOT_ASKED = -2_147_483_648

const OF_TOPIC: readonly Operation[] = [
  'READ',
  'WRITE',
  'CREATE',
  'DESCRIBE',
  'DELETE',
  'ALTER',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
]
const SUPPORTED = {
  TOPIC: OF_TOPIC,
  GROUP: ['READ', 'DESCRIBE', 'DELETE', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS'],
  CLUSTER: ['CREATE', 'CLUSTER_ACTION', 'DESCRIBE_CONFIGS', 'ALTER_CONFIGS', 'IDEMPOTENT_WRITE', 'ALTER', 'DESCRIBE'],
} as const satisfies Partial<Record<ResourceType, readonly Operation[]>>

/** As ACLs have addresses. */
function hostOf(clientHost: string): string {
  return clientHost.slice(1).replace('::ffff:', '')
}

/** Whether the client may do this; without an authorizer everybody may. */
export function isAllowed(
  { broker, session, clientHost }: RequestContext,
  operation: Operation,
  type: ResourceType,
  name = CLUSTER_NAME,
): boolean {
  return (
    broker.authorizer?.allows({ principal: session.principal, host: hostOf(clientHost) }, operation, type, name) ?? true
  )
}

/** Whether the client may do this with any resource of the type. */
export function isAllowedAnywhere(
  { broker, session, clientHost }: RequestContext,
  operation: Operation,
  type: ResourceType,
): boolean {
  return (
    broker.authorizer?.allowsAny({ principal: session.principal, host: hostOf(clientHost) }, operation, type) ?? true
  )
}

/** What the client may do with a resource, a bit for the number of each operation; that of its kind alone where there is no authorizer. */
export function authorizedOperations(
  context: RequestContext,
  isAsked: boolean,
  type: keyof typeof SUPPORTED,
  name = CLUSTER_NAME,
): number {
  if (!isAsked) return NOT_ASKED
  return SUPPORTED[type].reduce(
    (bits, operation) => (isAllowed(context, operation, type, name) ? bits | (1 << OPERATIONS[operation]) : bits),
    0,
  )
}
