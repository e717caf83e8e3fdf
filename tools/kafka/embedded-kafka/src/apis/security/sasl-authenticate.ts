import { SASL_AUTHENTICATE_KEY } from '../../protocol/api-key.ts'
import { bytes, int16, int64, nullableString } from '../../wire/primitives.ts'
import { since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const saslAuthenticate = defineApi({
  key: SASL_AUTHENTICATE_KEY,
  name: 'SaslAuthenticate',
  minVersion: 0,
  maxVersion: 2,
  flexibleSince: 2,
  request: struct({ authBytes: bytes }),
  response: struct({
    errorCode: int16,
    errorMessage: nullableString,
    authBytes: bytes,
    sessionLifetimeMs: since(1, int64, 0),
  }),
  handle: ({ authBytes }, { session }) => session.authenticate(authBytes),
})
