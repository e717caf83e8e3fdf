import type { Infer } from '../wire/codec.ts'
import { array, bool, int8, int16, int32, nullableArray, nullableString, string } from '../wire/primitives.ts'
import { between, constant, since, struct } from '../wire/struct.ts'
import type { Api } from './api.ts'

const describeRequest = struct({
  resources: array(struct({ resourceType: int8, resourceName: string, configurationKeys: nullableArray(string) })),
  includeSynonyms: since(1, bool, false),
  includeDocumentation: since(3, bool, false),
})

const describeResponse = struct({
  throttleTimeMs: constant(int32, 0),
  results: array(
    struct({
      errorCode: int16,
      errorMessage: nullableString,
      resourceType: int8,
      resourceName: string,
      configs: array(
        struct({
          name: string,
          value: nullableString,
          readOnly: bool,
          isDefault: between(0, 0, bool, false),
          configSource: since(1, int8, -1),
          isSensitive: constant(bool, false),
          synonyms: constant(array(struct({ name: string, value: nullableString, source: int8 })), [], 1),
          configType: since(3, int8, 0),
          documentation: constant(nullableString, null, 3),
        }),
      ),
    }),
  ),
})

export const describeConfigs: Api<Infer<typeof describeRequest>, Infer<typeof describeResponse>> = {
  key: 32,
  name: 'DescribeConfigs',
  minVersion: 0,
  maxVersion: 4,
  flexibleSince: 4,
  request: describeRequest,
  response: describeResponse,
}

const alterResponse = struct({
  throttleTimeMs: constant(int32, 0),
  responses: array(
    struct({ errorCode: int16, errorMessage: nullableString, resourceType: int8, resourceName: string }),
  ),
})

const alterRequest = struct({
  resources: array(
    struct({
      resourceType: int8,
      resourceName: string,
      configs: array(struct({ name: string, value: nullableString })),
    }),
  ),
  validateOnly: bool,
})

export const alterConfigs: Api<Infer<typeof alterRequest>, Infer<typeof alterResponse>> = {
  key: 33,
  name: 'AlterConfigs',
  minVersion: 0,
  maxVersion: 2,
  flexibleSince: 2,
  request: alterRequest,
  response: alterResponse,
}

const incrementalRequest = struct({
  resources: array(
    struct({
      resourceType: int8,
      resourceName: string,
      configs: array(struct({ name: string, operation: int8, value: nullableString })),
    }),
  ),
  validateOnly: bool,
})

export const incrementalAlterConfigs: Api<Infer<typeof incrementalRequest>, Infer<typeof alterResponse>> = {
  key: 44,
  name: 'IncrementalAlterConfigs',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 1,
  request: incrementalRequest,
  response: alterResponse,
}
