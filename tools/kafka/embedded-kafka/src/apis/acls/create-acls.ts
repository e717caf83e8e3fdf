import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome } from '../../protocol/protocol-error.ts'
import { array, int16, int32, nullableString } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { checkAcl } from './acl-checks.ts'
import { aclFields } from './acl-codecs.ts'

export const createAcls = defineApi('CreateAcls', {
  request: struct({ creations: array(struct(aclFields)) }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    results: array(struct({ errorCode: int16, errorMessage: nullableString })),
  }),
  handle({ creations }, { broker }) {
    if (!broker.authorizer) {
      const disabled = { errorCode: ErrorCode.SECURITY_DISABLED, errorMessage: 'No Authorizer is configured.' }
      return { results: creations.map(() => disabled) }
    }
    return {
      results: creations.map((acl) =>
        actionOutcome(() => {
          checkAcl(acl)
          broker.acls.add(acl)
        }),
      ),
    }
  },
})
