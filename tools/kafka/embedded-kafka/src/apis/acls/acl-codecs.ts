import { LITERAL } from '../../security/acl/acl.ts'
import { int8, nullableString, string } from '../../wire/primitives.ts'
import { since } from '../../wire/struct.ts'

const entry = { operation: int8, permissionType: int8 }

export const aclFields = {
  resourceType: int8,
  resourceName: string,
  patternType: since(1, int8, LITERAL),
  principal: string,
  host: string,
  ...entry,
}

export const filterFields = {
  resourceType: int8,
  resourceName: nullableString,
  patternType: since(1, int8, LITERAL),
  principal: nullableString,
  host: nullableString,
  ...entry,
}
