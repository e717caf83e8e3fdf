import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import {
  type Acl,
  type AclFilter,
  ALLOW,
  ANY,
  CLUSTER_NAME,
  DENY,
  LITERAL,
  MATCH,
  OPERATIONS,
  PREFIXED,
  RESOURCE_TYPES,
} from '../../security/acl/acl.ts'

const TYPES: readonly number[] = Object.values(RESOURCE_TYPES)
const OPERATION_NUMBERS: readonly number[] = Object.values(OPERATIONS)
const MAX_CHARACTERS = 1000

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

/** @throws {ProtocolError} when there can be no such ACL */
export function checkAcl(acl: Acl): void {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = acl
  if (resourceType === RESOURCE_TYPES.CLUSTER && resourceName !== CLUSTER_NAME) {
    throw invalid(`The only valid name for the CLUSTER resource is ${CLUSTER_NAME}`)
  }
  if (resourceName === '') throw invalid('Invalid empty resource name')
  if (!TYPES.includes(resourceType)) throw invalid(`Invalid resourceType ${resourceType}`)
  if (patternType !== LITERAL && patternType !== PREFIXED) throw invalid(`Invalid patternType ${patternType}`)
  if (!OPERATION_NUMBERS.includes(operation)) throw invalid(`Invalid operation ${operation}`)
  if (permissionType !== ALLOW && permissionType !== DENY) throw invalid(`Invalid permissionType ${permissionType}`)
  if (!/^[^:]+:./.test(principal)) throw invalid(`Invalid principal ${principal}`)
  if ([resourceName, principal, host].some((text) => text.length > MAX_CHARACTERS)) throw invalid('a text is too long')
}

/** @throws {ProtocolError} when it has a number that is nothing */
export function checkFilter({ resourceType, patternType, operation, permissionType }: AclFilter): void {
  if (![ANY, ...TYPES].includes(resourceType) || ![ANY, MATCH, LITERAL, PREFIXED].includes(patternType)) {
    throw invalid('Unknown patternFilter.')
  }
  if (![ANY, ...OPERATION_NUMBERS].includes(operation) || ![ANY, ALLOW, DENY].includes(permissionType)) {
    throw invalid('Unknown entryFilter.')
  }
}
