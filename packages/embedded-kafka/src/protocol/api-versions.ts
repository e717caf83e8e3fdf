import type { Infer } from '../wire/codec.ts'
import { array, int16, int32, string } from '../wire/primitives.ts'
import { constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const request = struct({
  clientSoftwareName: since(3, string, ''),
  clientSoftwareVersion: since(3, string, ''),
})

const response = struct({
  errorCode: int16,
  apiKeys: array(struct({ apiKey: int16, minVersion: int16, maxVersion: int16 })),
  throttleTimeMs: constant(int32, 0, 1),
})

export const API_VERSIONS_KEY = 18

export const apiVersions: Api<Infer<typeof request>, Infer<typeof response>> = {
  key: API_VERSIONS_KEY,
  name: 'ApiVersions',
  minVersion: 0,
  maxVersion: 3,
  flexibleSince: 3,
  request,
  response,
}
