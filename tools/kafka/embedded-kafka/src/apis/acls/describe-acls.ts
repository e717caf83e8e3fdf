import { groupBy } from '../../group-by.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { isMeant } from '../../security/acl/acl.ts'
import { array, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { checkFilter } from './acl-checks.ts'
import { aclFields, filterFields } from './acl-codecs.ts'

const { resourceType, resourceName, patternType } = aclFields

export const describeAcls = defineApi('DescribeAcls', {
  request: struct(filterFields),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    errorMessage: nullableString,
    resources: array(
      struct({
        resourceType,
        resourceName,
        patternType,
        acls: array(struct({ principal: string, host: string, operation: int8, permissionType: int8 })),
      }),
    ),
  }),
  handle: (filter, { broker }) =>
    outcomeOf(
      () => {
        if (!broker.authorizer) {
          throw new ProtocolError(ErrorCode.SECURITY_DISABLED, 'No Authorizer is configured on the broker')
        }
        checkFilter(filter)
        const meant = broker.acls.all.filter((acl) => isMeant(filter, acl))
        const byResource = groupBy(meant, (acl) =>
          JSON.stringify([acl.resourceType, acl.resourceName, acl.patternType]),
        )
        return { resources: [...byResource.values()].map((acls) => ({ ...acls[0], acls })) }
      },
      { resources: [] },
    ),
})
