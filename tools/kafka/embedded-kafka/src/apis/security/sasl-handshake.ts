import { array, int16, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

export const saslHandshake = defineApi('SaslHandshake', {
  request: struct({ mechanism: string }),
  response: struct({ errorCode: int16, mechanisms: array(string) }),
  handle: ({ mechanism }, { session, version }) => session.handshake(mechanism, version),
})
