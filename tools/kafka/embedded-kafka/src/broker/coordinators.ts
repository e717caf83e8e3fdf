import { NO_LEADER } from '../cluster/leadership.ts'
import type { Nodes } from '../cluster/nodes.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import { type Coordinated, coordinatedIn, INTERNAL_PARTITIONS, INTERNAL_TOPICS } from '../topics/internal-topics.ts'
import type { Topic } from '../topics/topic.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'

/** Says who coordinates a group or transaction: the leader of its partition of the internal topic, which is created when it is needed. */
export class Coordinators {
  readonly #topics: TopicCatalog
  readonly #nodes: Nodes

  constructor(topics: TopicCatalog, nodes: Nodes) {
    this.#topics = topics
    this.#nodes = nodes
  }

  /** The broker that coordinates; undefined while none of its replicas lives, or the topic cannot be created. */
  find(kind: Coordinated, key: string): number | undefined {
    const topic = this.#topic(kind)
    if (!topic) return undefined
    const { partitions } = topic
    const leader = partitions[coordinatedIn(key, partitions.length)]?.replicas.leadership.leader
    return leader === NO_LEADER ? undefined : leader
  }

  /** The error for what this broker does not coordinate, if any. */
  refusal(kind: Coordinated, key: string, nodeId: number): ErrorCode | undefined {
    return this.find(kind, key) === nodeId ? undefined : ErrorCode.NOT_COORDINATOR
  }

  #topic(kind: Coordinated): Topic | undefined {
    const { name, config } = INTERNAL_TOPICS[kind]
    try {
      return this.#topics.find(name) ?? this.#create(name, config(this.#nodes.defaultFactor))
    } catch (error) {
      failureOf(error)
      return undefined
    }
  }

  /** Leaders go round, so that every broker coordinates. */
  #create(name: string, config: Topic['config']): Topic {
    const { all, defaultFactor, firstId } = this.#nodes
    const replicasFrom = (first: number) =>
      Array.from({ length: defaultFactor }, (_, step) => firstId + ((first + step) % all.length))
    return this.#topics.create(name, {
      config,
      assignments: Array.from({ length: INTERNAL_PARTITIONS }, (_, index) => replicasFrom(index)),
    })
  }
}
