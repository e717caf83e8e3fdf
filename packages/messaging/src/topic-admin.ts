import type { KafkaClient } from './kafka.ts'

/** Topics and groups; connects at the first call, every call waits at most `timeoutMs`. */
export interface TopicAdmin extends AsyncDisposable {
  /** Creates the topic when it is missing; an existing one keeps its partitions. */
  ensureTopic(name: string, partitions?: number): Promise<void>
  deleteTopic(name: string): Promise<void>
  /** The next offset of each partition; index = partition. */
  endOffsets(topic: string): Promise<readonly string[]>
  /** The stored offset of each partition of a group, undefined where none is stored; index = partition. */
  committedOffsets(groupId: string, topic: string): Promise<readonly (string | undefined)[]>
  /** Stores the end offsets for a group without stored offsets, so that its first member begins there. */
  startGroupAtEnd(groupId: string, topic: string): Promise<void>
  deleteGroup(groupId: string): Promise<void>
}

/** Administers topics and groups. */
export function createTopicAdmin(_kafka: KafkaClient, _options: { readonly timeoutMs?: number } = {}): TopicAdmin {
  throw new Error('not built yet')
}
