import { mapInTurns } from '../../turn.ts'
import { array, bool, int8, nullableString, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { alterConfig, alterResponse } from './alter-config.ts'
import { givenConfig } from './given-config.ts'

const request = struct({
  resources: array(
    struct({
      resourceType: int8,
      resourceName: string,
      configs: array(struct({ name: string, value: nullableString })),
    }),
  ),
  validateOnly: bool,
})

/** Replaces all settings of a topic. */
export const alterConfigs = defineApi('AlterConfigs', {
  request,
  response: alterResponse,
  handle: async ({ resources, validateOnly }, { broker }) => ({
    responses: await mapInTurns(resources, (resource) =>
      alterConfig(broker, resource, { validateOnly, change: () => givenConfig(resource.configs) }),
    ),
  }),
})
