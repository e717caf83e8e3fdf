import {
  type Acl,
  ALLOW,
  DENY,
  isAbout,
  LITERAL,
  OPERATIONS,
  type Operation,
  PREFIXED,
  RESOURCE_TYPES,
  type ResourceType,
  WILDCARD,
} from './acl.ts'
import type { AclStore } from './acl-store.ts'

/** Who asks, from which address. */
export interface Client {
  readonly principal: string
  readonly host: string
}

export interface AuthorizerRules {
  /** These may do everything: `User:admin`. */
  readonly superUsers: ReadonlySet<string>
  /** What no ACL is about is everybody's. */
  readonly allowEveryoneIfNoAclFound: boolean
}

const MAX_REMEMBERED = 10_000

/** Who may do one of these, may do this, too. */
const IMPLIED_BY: ReadonlyMap<Operation, readonly Operation[]> = new Map([
  ['DESCRIBE', ['READ', 'WRITE', 'DELETE', 'ALTER']],
  ['DESCRIBE_CONFIGS', ['ALTER_CONFIGS']],
])

/** Decides by ACLs, as Apache Kafka's StandardAuthorizer: what is denied to a client is not allowed by anything. */
export class Authorizer {
  readonly #acls: AclStore
  readonly #rules: AuthorizerRules
  /** Decisions since the last change. */
  readonly #decided = new Map<string, boolean>()

  constructor(acls: AclStore, rules: AuthorizerRules) {
    this.#acls = acls
    this.#rules = rules
    acls.onChange(() => this.#decided.clear())
  }

  allows(client: Client, operation: Operation, type: ResourceType, name: string): boolean {
    if (this.#rules.superUsers.has(client.principal)) return true
    const key = JSON.stringify([client.principal, client.host, operation, type, name])
    const known = this.#decided.get(key)
    if (known !== undefined) return known
    if (this.#decided.size >= MAX_REMEMBERED) this.#decided.clear()
    const decision = this.#decide(client, operation, type, name)
    this.#decided.set(key, decision)
    return decision
  }

  #decide(client: Client, operation: Operation, type: ResourceType, name: string): boolean {
    const about = this.#acls.all.filter((acl) => acl.resourceType === RESOURCE_TYPES[type] && isAbout(acl, name))
    if (about.length === 0) return this.#rules.allowEveryoneIfNoAclFound
    const own = about.filter((acl) => isOf(client, acl))
    if (own.some((acl) => denies(acl, operation))) return false
    return own.some((acl) => allows(acl, operation))
  }

  /** Whether there is any resource of the type for which this may be allowed. */
  allowsAny(client: Client, operation: Operation, type: ResourceType): boolean {
    if (this.#rules.superUsers.has(client.principal)) return true
    const own = this.#acls.all.filter((acl) => acl.resourceType === RESOURCE_TYPES[type] && isOf(client, acl))
    const denied = own.filter((acl) => denies(acl, operation))
    if (denied.some(({ patternType, resourceName }) => patternType === LITERAL && resourceName === WILDCARD))
      return false
    if (this.#rules.allowEveryoneIfNoAclFound) return true
    return own.some((acl) => allows(acl, operation) && !denied.some((denial) => covers(denial, acl)))
  }
}

function isOf({ principal, host }: Client, acl: Acl): boolean {
  return (
    (acl.principal === principal || acl.principal === `User:${WILDCARD}`) &&
    (acl.host === host || acl.host === WILDCARD)
  )
}

function denies({ permissionType, operation }: Acl, wanted: Operation): boolean {
  return permissionType === DENY && (operation === OPERATIONS.ALL || operation === OPERATIONS[wanted])
}

function allows({ permissionType, operation }: Acl, wanted: Operation): boolean {
  const enough = [wanted, 'ALL' as const, ...(IMPLIED_BY.get(wanted) ?? [])]
  return permissionType === ALLOW && enough.some((each) => operation === OPERATIONS[each])
}

/** Whether a denial is about everything that an ACL allows. */
function covers(denial: Acl, { patternType, resourceName }: Acl): boolean {
  if (denial.patternType === PREFIXED) return resourceName.startsWith(denial.resourceName)
  return patternType === LITERAL && denial.resourceName === resourceName
}
