import { API_VERSIONS_KEY } from '../../protocol/api-key.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { type Api, defineApi } from '../definition/api.ts'

const MAX_VERSION = 3

/** Lists these APIs with their versions, also to a client that asks in a version unknown here. */
export function apiVersionsOf(apis: () => Iterable<Api>): Api {
  return defineApi({
    key: API_VERSIONS_KEY,
    name: 'ApiVersions',
    minVersion: 0,
    maxVersion: MAX_VERSION,
    flexibleSince: 3,
    request: struct({
      clientSoftwareName: since(3, string, ''),
      clientSoftwareVersion: since(3, string, ''),
    }),
    response: struct({
      errorCode: int16,
      apiKeys: array(struct({ apiKey: int16, minVersion: int16, maxVersion: int16 })),
      throttleTimeMs: constant(int32, 0, 1),
    }),
    handle: (_request, { version }) => ({
      errorCode: version > MAX_VERSION ? ErrorCode.UNSUPPORTED_VERSION : ErrorCode.NONE,
      apiKeys: Array.from(apis(), ({ key, minVersion, maxVersion }) => ({ apiKey: key, minVersion, maxVersion })),
    }),
  })
}
