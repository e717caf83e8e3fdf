import type { Broker } from '../../broker/broker.ts'
import { outcomeOf } from '../../protocol/protocol-error.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, int8, int16, int32, nullableArray, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { brokerEntries, dynamicEntries, type EntryDetails, groupEntries, topicEntries } from './config-entries.ts'
import { type ConfigResource, configOf, nodeOf, RESOURCE } from './config-resource.ts'

const request = struct({
  resources: array(struct({ resourceType: int8, resourceName: string, configurationKeys: nullableArray(string) })),
  includeSynonyms: bool,
  includeDocumentation: since(3, bool, false),
})

const response = struct({
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
          configSource: int8,
          isSensitive: constant(bool, false),
          synonyms: array(struct({ name: string, value: nullableString, source: int8 })),
          configType: since(3, int8, 0),
          documentation: since(3, nullableString, null),
        }),
      ),
    }),
  ),
})

function findConfigs(broker: Broker, resource: Infer<typeof request>['resources'][number], details: EntryDetails) {
  const entries = () => {
    if (resource.resourceType === RESOURCE.group) return groupEntries(configOf(broker, resource), details)
    const { brokerConfigs, nodeId, nodes } = broker
    const common = brokerConfigs.of(undefined)
    const dynamic = { own: brokerConfigs.of(nodeId), common }
    if (resource.resourceType === RESOURCE.broker) {
      return nodeOf(broker, resource) === undefined
        ? dynamicEntries({ own: {}, common }, details)
        : brokerEntries(broker.settings, dynamic, details)
    }
    // In a cluster topics do not go by what one broker has of its own.
    const { started } = brokerConfigs
    const ofTopics = { own: nodes.all.length === 1 ? dynamic.own : {}, common, started }
    return topicEntries(configOf(broker, resource), details, ofTopics)
  }
  const wanted = resource.configurationKeys?.length === 0 ? null : resource.configurationKeys
  return { configs: entries().filter(({ name }) => wanted?.includes(name) ?? true) }
}

/** Each resource once: an answer is many times as large as what asks for it. */
function once<T extends ConfigResource>(resources: readonly T[]): readonly T[] {
  return [...new Map(resources.map((each) => [`${each.resourceType} ${each.resourceName}`, each])).values()]
}

export const describeConfigs = defineApi('DescribeConfigs', {
  request,
  response,
  handle: async ({ resources, includeSynonyms, includeDocumentation }, { broker }) => ({
    results: await mapInTurns(once(resources), (resource) => ({
      resourceType: resource.resourceType,
      resourceName: resource.resourceName,
      ...outcomeOf(
        () => findConfigs(broker, resource, { synonyms: includeSynonyms, documentation: includeDocumentation }),
        { configs: [] },
      ),
    })),
  }),
})
