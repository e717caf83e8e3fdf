import { FEATURES } from '../../features/features.ts'
import { API_VERSIONS, type ApiVersions } from '../../protocol/api-versions.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, since, struct, tagged } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const APIS: readonly ApiVersions[] = Object.values(API_VERSIONS)

/** Clients before this version cannot read a lowest version of 0, so that nothing is said of such features. */
const ZERO_VERSION = 4

/** Lists the APIs with their versions, also to a client that asks in a version unknown here. */
export const apiVersions = defineApi('ApiVersions', {
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
  handle: (_request, { version, broker: { features } }) => ({
    errorCode: version > API_VERSIONS.ApiVersions.maxVersion ? ErrorCode.UNSUPPORTED_VERSION : ErrorCode.NONE,
    apiKeys: APIS.map(({ key, minVersion, announcedSince, maxVersion }) => ({
      apiKey: key,
      minVersion: announcedSince ?? minVersion,
      maxVersion,
    })),
    supportedFeatures: FEATURES.filter(({ lowest }) => lowest > 0 || version >= ZERO_VERSION).map(
      ({ name, lowest, highest }) => ({ name, minVersion: lowest, maxVersion: highest }),
    ),
    finalizedFeaturesEpoch: features.epoch,
    finalizedFeatures: FEATURES.map(({ name }) => ({ name, level: features.levelOf(name) })).flatMap(
      ({ name, level }) => (level === 0 ? [] : [{ name, maxLevel: level, minLevel: level }]),
    ),
  }),
})
