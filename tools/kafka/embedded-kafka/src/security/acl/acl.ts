/** The protocol's numbers of operations. */
export const OPERATIONS = {
  ALL: 2,
  READ: 3,
  WRITE: 4,
  CREATE: 5,
  DELETE: 6,
  ALTER: 7,
  DESCRIBE: 8,
  CLUSTER_ACTION: 9,
  DESCRIBE_CONFIGS: 10,
  ALTER_CONFIGS: 11,
  IDEMPOTENT_WRITE: 12,
  CREATE_TOKENS: 13,
  DESCRIBE_TOKENS: 14,
  TWO_PHASE_COMMIT: 15,
} as const
export type Operation = keyof typeof OPERATIONS

/** The protocol's numbers of what an ACL can be about. */
export const RESOURCE_TYPES = {
  TOPIC: 2,
  GROUP: 3,
  CLUSTER: 4,
  TRANSACTIONAL_ID: 5,
  DELEGATION_TOKEN: 6,
  USER: 7,
} as const
export type ResourceType = keyof typeof RESOURCE_TYPES

/** The protocol's numbers of patterns, and of permissions. */
export const [ANY, MATCH, LITERAL, PREFIXED] = [1, 2, 3, 4]
export const [DENY, ALLOW] = [2, 3]
/** The only name that the cluster has. */
export const CLUSTER_NAME = 'kafka-cluster'
export const WILDCARD = '*'

/** Who may do what, or may not; numbers as in the protocol. */
export interface Acl {
  readonly resourceType: number
  readonly resourceName: string
  readonly patternType: number
  /** `User:alice`, or `User:*` for everybody. */
  readonly principal: string
  /** An address, or `*` for all. */
  readonly host: string
  readonly operation: number
  readonly permissionType: number
}

/** Which ACLs are meant; null and the number of ANY stand for everything. */
export type AclFilter = {
  readonly [K in keyof Acl]: Acl[K] extends string ? string | null : number
}

/** Whether an ACL is about this resource. */
export function isAbout({ patternType, resourceName }: Acl, name: string): boolean {
  if (patternType === PREFIXED) return name.startsWith(resourceName)
  return resourceName === name || resourceName === WILDCARD
}

/** MATCH is every ACL that is about the name of the filter; LITERAL and PREFIXED are those that are written so. */
export function isMeant(filter: AclFilter, acl: Acl): boolean {
  const isNumber = (name: 'resourceType' | 'operation' | 'permissionType') =>
    filter[name] === ANY || filter[name] === acl[name]
  const isText = (name: 'principal' | 'host') => filter[name] === null || filter[name] === acl[name]
  const isName =
    filter.resourceName === null ||
    (filter.patternType === MATCH ? isAbout(acl, filter.resourceName) : filter.resourceName === acl.resourceName)
  const isPattern = [ANY, MATCH, acl.patternType].includes(filter.patternType)
  return (
    isNumber('resourceType') &&
    isNumber('operation') &&
    isNumber('permissionType') &&
    isText('principal') &&
    isText('host') &&
    isName &&
    isPattern
  )
}
