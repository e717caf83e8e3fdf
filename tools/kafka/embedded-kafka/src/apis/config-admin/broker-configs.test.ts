import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import type { Api } from '../definition/api.ts'
import { alterConfigs } from './alter-configs.ts'
import { describeConfigs } from './describe-configs.ts'
import { incrementalAlterConfigs } from './incremental-alter-configs.ts'

const [SET, DELETE, APPEND] = [0, 1, 2]
const [TOPIC, BROKER] = [2, 4]
const [OF_BROKER, OF_ALL, DEFAULT] = [2, 3, 5]

describe('the settings of brokers', () => {
  let folder: string
  let broker: SoleBroker
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'broker-configs-'))
    broker = openTestBroker({ dataDir: folder })
    broker.topics.create('t')
  })
  afterEach(() => {
    broker.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (api: Api, request: unknown) => api.handle(request, makeContext(broker, 4))

  /** The name is the broker's number, or empty for all brokers. */
  async function change(
    resourceName: string,
    ...configs: readonly (readonly [name: string, operation: number | undefined, value: string])[]
  ) {
    const list = configs.map(([name, operation, value]) => ({ name, operation, value }))
    const resources = [{ resourceType: BROKER, resourceName, configs: list }]
    const answer = await ask(incrementalAlterConfigs, { resources, validateOnly: false })
    return (answer as { responses: { errorCode: number; errorMessage: string | null }[] }).responses[0]
  }
  async function shown(resourceType: number | undefined, resourceName: string, ...names: readonly string[]) {
    const configurationKeys = names.length === 0 ? null : names
    const resources = [{ resourceType, resourceName, configurationKeys }]
    const answer = await ask(describeConfigs, { resources, includeSynonyms: true, includeDocumentation: false })
    return (answer as { results: { configs: { name: string; value: string; configSource: number }[] }[] }).results[0]
      ?.configs
  }
  const retention = () => broker.topics.find('t')?.rules.log.retentionMs

  it('are what topics have that were not given something else, also after a restart', async () => {
    expect(await change('', ['log.retention.ms', SET, '86400000'])).toMatchObject({ errorCode: 0 })
    expect(retention()).toBe(86_400_000)
    await change('1', ['log.retention.ms', SET, '5000'])
    expect(retention()).toBe(5000)
    broker.topics.configure('t', { 'retention.ms': '7' })
    expect(retention()).toBe(7)
    broker.topics.create('new')
    broker.close()
    broker = openTestBroker({ dataDir: folder })
    expect(retention()).toBe(7)
    expect(broker.topics.find('new')?.rules.log.retentionMs).toBe(5000)
    await change('1', ['log.retention.ms', DELETE, ''])
    await change('', ['log.retention.ms', DELETE, ''])
    expect(broker.topics.find('new')?.rules.log.retentionMs).toBe(604_800_000)
  })

  it('say how long the cleaner rests', async () => {
    expect(await change('', ['log.cleaner.backoff.ms', SET, '7'])).toMatchObject({ errorCode: 0 })
    expect(broker.brokerConfigs.cleanerBackoffMs).toBe(7)
    await change('1', ['log.cleaner.backoff.ms', SET, '8'])
    expect(broker.brokerConfigs.cleanerBackoffMs).toBe(8)
    const [shownNow] = (await shown(BROKER, '1', 'log.cleaner.backoff.ms')) ?? []
    expect(shownNow).toMatchObject({ value: '8', configSource: OF_BROKER, readOnly: false })
  })

  it('are shown with where they come from, as by Apache Kafka', async () => {
    await change('', ['log.retention.ms', SET, '86400000'], ['log.cleanup.policy', APPEND, 'compact'])
    await change('1', ['log.retention.ms', SET, '5000'], ['leader.replication.throttled.rate', SET, '9'])
    expect(await shown(TOPIC, 't', 'retention.ms', 'cleanup.policy', 'segment.ms')).toMatchObject([
      { name: 'cleanup.policy', value: 'delete,compact', configSource: OF_ALL, readOnly: false },
      {
        name: 'retention.ms',
        value: '5000',
        configSource: OF_BROKER,
        synonyms: [
          { name: 'log.retention.ms', value: '5000', source: OF_BROKER },
          { name: 'log.retention.ms', value: '86400000', source: OF_ALL },
        ],
      },
      { name: 'segment.ms', configSource: DEFAULT },
    ])
    expect(await shown(BROKER, '')).toMatchObject([
      { name: 'log.retention.ms', value: '86400000', configSource: OF_ALL },
      { name: 'log.cleanup.policy', value: 'delete,compact', configSource: OF_ALL },
    ])
    const [listed, unlisted] = (await shown(BROKER, '1', 'log.retention.ms', 'leader.replication.throttled.rate')) ?? []
    expect(listed).toMatchObject({ value: '5000', configSource: OF_BROKER, readOnly: false })
    expect(unlisted).toMatchObject({ value: '9', configSource: OF_BROKER })
  })

  it.each([
    [
      'log.cleaner.threads',
      SET,
      'x',
      42,
      'Invalid value x for configuration log.cleaner.threads: Not a number of type INT',
    ],
    [
      'log.cleanup.policy',
      SET,
      'x',
      42,
      'Invalid value x for configuration log.cleanup.policy: String must be one of: compact, delete',
    ],
    ['log.cleaner.threads', APPEND, '2', 40, 'Config value append is not allowed for config key: log.cleaner.threads'],
    ['num.partitions', SET, '2', 42, 'Cannot update these configs dynamically: Set(num.partitions)'],
    ['log.cleanup.policy', SET, 'x'.repeat(5000), 42, expect.stringContaining('Invalid value')],
  ])('are not changed where %s cannot be, or is wrong', async (name, operation, value, errorCode, errorMessage) => {
    expect(await change('', [name, operation, value])).toMatchObject({ errorCode, errorMessage })
    expect(broker.brokerConfigs.of(undefined)).toEqual({})
  })

  it('are replaced by AlterConfigs, and only checked where a client wants no more', async () => {
    const replace = (validateOnly: boolean, ...configs: readonly { name: string; value: string }[]) =>
      ask(alterConfigs, { resources: [{ resourceType: BROKER, resourceName: '1', configs }], validateOnly })
    await replace(false, { name: 'num.io.threads', value: '4' }, { name: 'message.max.bytes', value: '1000' })
    expect(broker.topics.find('t')?.rules.maxMessageBytes).toBe(1000)
    await replace(true)
    expect(broker.brokerConfigs.of(1)).toEqual({ 'num.io.threads': '4', 'message.max.bytes': '1000' })
    await replace(false, { name: 'num.io.threads', value: '5' })
    expect(broker.brokerConfigs.of(1)).toEqual({ 'num.io.threads': '5' })
    expect(broker.topics.find('t')?.rules.maxMessageBytes).toBe(1_048_588)
  })
})
