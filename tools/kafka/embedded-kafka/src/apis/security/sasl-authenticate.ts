import { bytes, int16, int64, nullableString } from '../../wire/primitives.ts'
import { since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const saslAuthenticate = defineApi('SaslAuthenticate', {
  request: struct({ authBytes: bytes }),
  response: struct({
    errorCode: int16,
    errorMessage: nullableString,
    authBytes: bytes,
    sessionLifetimeMs: since(1, int64, 0),
  }),
  handle: ({ authBytes }, { session }) => session.authenticate(authBytes),
})
