import { OptionError } from '../errors.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { TopicConfig } from '../settings/topic-settings.ts'
import type { TopicCatalog } from './topic-catalog.ts'

/** A topic that is there from the start. */
export interface TopicOption {
  readonly name: string
  /** 1 to `maxTopicPartitions`; default `defaultPartitions`. */
  readonly partitions?: number
  /** Settings as in Apache Kafka, such as `cleanup.policy`; default: none. */
  readonly config?: TopicConfig
}

/**
 * Creates the topics that are not there yet; the others stay as they are.
 * @throws {OptionError} when one cannot be created, with the reason
 */
export function createWanted(topics: TopicCatalog, wanted: readonly (string | TopicOption)[]): void {
  for (const each of wanted) {
    const { name, ...options }: TopicOption = typeof each === 'string' ? { name: each } : each
    const { partitions = 1 } = options
    if (!Number.isInteger(partitions)) {
      throw new OptionError(`topics must have a whole number of partitions; got ${partitions} for ${name}`)
    }
    if (topics.find(name)) continue
    try {
      topics.create(name, options)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      throw new OptionError(`topics must be topics that can be created; got ${name}: ${error.message}`, {
        cause: error,
      })
    }
  }
}
