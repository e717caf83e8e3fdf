import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { isMeant } from '../../security/acl/acl.ts'
import { array, int16, int32, nullableString } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { checkFilter } from './acl-checks.ts'
import { aclFields, filterFields } from './acl-codecs.ts'

const matching = struct({ errorCode: constant(int16, 0), errorMessage: constant(nullableString, null), ...aclFields })

export const deleteAcls = defineApi('DeleteAcls', {
  request: struct({ filters: array(struct(filterFields)) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    filterResults: array(struct({ errorCode: int16, errorMessage: nullableString, matchingAcls: array(matching) })),
  }),
  handle({ filters }, { broker }) {
    // All are looked up before any is removed: filters may mean the same.
    const results = filters.map((filter) =>
      outcomeOf(
        () => {
          if (!broker.authorizer) throw new ProtocolError(ErrorCode.SECURITY_DISABLED, 'No Authorizer is configured.')
          checkFilter(filter)
          return { matchingAcls: broker.acls.all.filter((acl) => isMeant(filter, acl)) }
        },
        { matchingAcls: [] },
      ),
    )
    for (const acl of results.flatMap(({ matchingAcls }) => matchingAcls)) broker.acls.remove(acl)
    return { filterResults: results }
  },
})
