import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import type { Api } from '../definition/api.ts'
import { createTopics } from '../topic-admin/create-topics.ts'
import { deleteRecords } from '../topic-admin/delete-records.ts'
import { describeConfigs } from './describe-configs.ts'
import { incrementalAlterConfigs } from './incremental-alter-configs.ts'

const [SET, DELETE, APPEND, SUBTRACT] = [0, 1, 2, 3]
const REPLICAS = 'leader.replication.throttled.replicas'

describe('the settings of a topic', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker()
    broker.topics.create('t')
  })
  afterEach(() => broker.close())

  const ask = (api: Api, request: unknown) => api.handle(request, makeContext(broker, 4))

  async function change(
    ...configs: readonly (readonly [name: string, operation: number | undefined, value: string | null])[]
  ) {
    const list = configs.map(([name, operation, value]) => ({ name, operation, value }))
    const resources = [{ resourceType: 2, resourceName: 't', configs: list }]
    const answer = await ask(incrementalAlterConfigs, { resources, validateOnly: false })
    return (answer as { responses: { errorCode: number; errorMessage: string | null }[] }).responses[0]
  }
  const givenTo = (name: string) => broker.topics.find('t')?.config[name]

  it('are set, deleted, appended to and taken from as in Apache Kafka', async () => {
    const steps: readonly (readonly [string, number | undefined, string, string | undefined])[] = [
      ['cleanup.policy', APPEND, 'compact', 'delete,compact'],
      ['cleanup.policy', APPEND, 'compact', 'delete,compact'],
      ['cleanup.policy', SUBTRACT, 'delete', 'compact'],
      ['cleanup.policy', SUBTRACT, 'compact', ''],
      ['cleanup.policy', DELETE, '', undefined],
      [REPLICAS, APPEND, '0:1', '0:1'],
      [REPLICAS, APPEND, '1:1,0:1', '0:1,1:1'],
      ['retention.ms', SET, '5', '5'],
      ['retention.ms', DELETE, '6', undefined],
      ['unknown', DELETE, '', undefined],
    ]
    for (const [name, operation, value, expected] of steps) {
      expect(await change([name, operation, value])).toMatchObject({ errorCode: 0 })
      expect(givenTo(name)).toBe(expected)
    }
  })

  it.each([
    ['retention.ms', APPEND, '5', 40, "Can't APPEND to key retention.ms because its type is not LIST."],
    ['unknown', SUBTRACT, '5', 40, "Can't SUBTRACT to key unknown because its type is not LIST."],
    [
      'cleanup.policy',
      APPEND,
      'x',
      40,
      'Invalid value x for configuration cleanup.policy: String must be one of: compact, delete',
    ],
    ['retention.ms', SET, null, 42, 'Null value not supported for : retention.ms'],
    ['retention.ms', 9, '5', 42, 'Unknown operation 9 on retention.ms'],
  ])('%s are not changed by operation %s with %j', async (name, operation, value, errorCode, errorMessage) => {
    expect(await change([name, operation, value])).toMatchObject({ errorCode, errorMessage })
    expect(broker.topics.find('t')?.config).toEqual({})
  })

  it('are not changed twice at once', async () => {
    const twice = await change(['retention.ms', SET, '5'], ['retention.ms', SET, '6'])
    expect(twice).toMatchObject({ errorCode: 42, errorMessage: 'Error due to duplicate config keys' })
  })

  it('are in the answer to who creates it, and none may be without value', async () => {
    const topic = (name: string, value: string | null) => ({
      name,
      numPartitions: 1,
      replicationFactor: 1,
      assignments: [],
      configs: [{ name: 'retention.ms', value }],
    })
    const answer = await ask(createTopics, { topics: [topic('a', '5'), topic('b', null)], validateOnly: false })
    const [a, b] = (answer as { topics: { configs: { name: string }[] | null }[] }).topics
    expect(a?.configs).toHaveLength(33)
    const [own] = a?.configs?.filter(({ name }) => name === 'retention.ms') ?? []
    expect(own).toMatchObject({ value: '5', configSource: 1, readOnly: false })
    const errorMessage = 'Null value not supported for topic configs: retention.ms'
    expect(b).toMatchObject({ errorCode: ErrorCode.INVALID_CONFIG, errorMessage, configs: null })
  })

  it('are described with types and documentation, those of the broker only for this one', async () => {
    const describeOne = async (resourceType: number, resourceName: string) => {
      const resources = [{ resourceType, resourceName, configurationKeys: null }]
      const asked = { resources, includeSynonyms: false, includeDocumentation: true }
      const answer = await ask(describeConfigs, asked)
      return (answer as { results: { errorCode: number; errorMessage: string; configs: object[] }[] }).results[0]
    }
    const types = { boolean: 1, string: 2, int: 3, long: 5, double: 6, list: 7 }
    expect((await describeOne(2, 't'))?.configs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'preallocate', configType: types.boolean }),
        expect.objectContaining({ name: 'compression.type', configType: types.string }),
        expect.objectContaining({ name: 'segment.bytes', configType: types.int, synonyms: [] }),
        expect.objectContaining({ name: 'segment.ms', configType: types.long }),
        expect.objectContaining({ name: 'min.cleanable.dirty.ratio', configType: types.double }),
        expect.objectContaining({ name: 'cleanup.policy', configType: types.list }),
      ]),
    )
    for (const each of (await describeOne(2, 't'))?.configs ?? []) {
      expect(each).toMatchObject({ documentation: expect.stringMatching(/\.$/) })
    }
    expect(await describeOne(4, '')).toMatchObject({ errorCode: 0, configs: [] })
    const errorMessage = 'Unexpected broker id, expected 1 or empty string, but received 2'
    expect(await describeOne(4, '2')).toMatchObject({ errorCode: 42, errorMessage })
  })

  it('are described once, however often they are asked for', async () => {
    const asked = { resourceType: 2, resourceName: 't', configurationKeys: null }
    const answer = await ask(describeConfigs, {
      resources: [asked, asked],
      includeSynonyms: false,
      includeDocumentation: false,
    })
    expect((answer as { results: unknown[] }).results).toHaveLength(1)
  })

  it('without delete protect records from being deleted', async () => {
    broker.topics.configure('t', { 'cleanup.policy': 'compact' })
    const partitions = [{ index: 0, offset: 0 }]
    expect(await ask(deleteRecords, { topics: [{ name: 't', partitions }] })).toMatchObject({
      topics: [{ partitions: [{ errorCode: ErrorCode.POLICY_VIOLATION }] }],
    })
  })
})
