import { API_VERSIONS_KEY } from '../../protocol/api-key.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, since, struct, tagged } from '../../wire/struct.ts'
import { type Api, defineApi } from '../definition/api.ts'

const MAX_VERSION = 4

/** What all brokers of a cluster agree on: groups of the newer protocol (KIP-848), and transactions of the second version (KIP-890). */
const FEATURES = [
  { name: 'group.version', highest: 1 },
  { name: 'transaction.version', highest: 2 },
]
/** Clients before this version cannot read a lowest version of 0, so that nothing is said of such features. */
const ZERO_VERSION = 4

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
      supportedFeatures: tagged(0, 3, array(struct({ name: string, minVersion: int16, maxVersion: int16 })), []),
      finalizedFeaturesEpoch: tagged(1, 3, int64, -1),
      finalizedFeatures: tagged(2, 3, array(struct({ name: string, maxLevel: int16, minLevel: int16 })), []),
    }),
    handle: (_request, { version }) => ({
      errorCode: version > MAX_VERSION ? ErrorCode.UNSUPPORTED_VERSION : ErrorCode.NONE,
      apiKeys: Array.from(apis(), ({ key, minVersion, maxVersion }) => ({ apiKey: key, minVersion, maxVersion })),
      supportedFeatures:
        version < ZERO_VERSION
          ? []
          : FEATURES.map(({ name, highest }) => ({ name, minVersion: 0, maxVersion: highest })),
      finalizedFeaturesEpoch: 0,
      finalizedFeatures: FEATURES.map(({ name, highest }) => ({ name, maxLevel: highest, minLevel: highest })),
    }),
  })
}
