import { SASL_HANDSHAKE_KEY } from '../../protocol/api-key.ts'
import { array, int16, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const saslHandshake = defineApi({
  key: SASL_HANDSHAKE_KEY,
  name: 'SaslHandshake',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: Number.POSITIVE_INFINITY,
  request: struct({ mechanism: string }),
  response: struct({ errorCode: int16, mechanisms: array(string) }),
  handle: ({ mechanism }, { session, version }) => session.handshake(mechanism, version),
})
