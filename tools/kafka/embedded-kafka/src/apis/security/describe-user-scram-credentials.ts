import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int8, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { SCRAM_NUMBERS } from './scram-numbers.ts'

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  results: array(
    struct({
      user: string,
      errorCode: int16,
      errorMessage: nullableString,
      credentialInfos: array(struct({ mechanism: int8, iterations: int32 })),
    }),
  ),
})

/** Of the users that are named, or of all: their mechanisms, and nothing that could be used to log in. */
export const describeUserScramCredentials = defineApi('DescribeUserScramCredentials', {
  request: struct({ users: nullableArray(struct({ name: string })) }),
  response,
  handle({ users }, { broker }) {
    const known = broker.scramCredentials
    const wanted = users?.map(({ name }) => name) ?? []
    const names = wanted.length === 0 ? known.users : [...new Set(wanted)]
    return {
      errorCode: ErrorCode.NONE,
      errorMessage: null,
      results: names.map((user) => {
        const nothing = { user, credentialInfos: [] }
        if (wanted.filter((name) => name === user).length > 1) {
          const errorMessage = `Cannot describe SCRAM credentials for the same user twice in a single request: ${user}`
          return { ...nothing, errorCode: ErrorCode.DUPLICATE_RESOURCE, errorMessage }
        }
        const credentialInfos = SCRAM_NUMBERS.flatMap(([mechanism, name]) => {
          const credential = known.find(name, user)
          return credential ? { mechanism, iterations: credential.iterations } : []
        })
        if (credentialInfos.length > 0) return { user, errorCode: ErrorCode.NONE, errorMessage: null, credentialInfos }
        const errorMessage = `Attempt to describe a user credential that does not exist: ${user}`
        return { ...nothing, errorCode: ErrorCode.RESOURCE_NOT_FOUND, errorMessage }
      }),
    }
  },
})
