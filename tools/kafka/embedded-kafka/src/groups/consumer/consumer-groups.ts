import { groupTimes } from '../../settings/group-settings.ts'
import type { ModernGroupOptions } from '../modern/modern-group.ts'
import { ModernGroups, type ModernGroupsOptions } from '../modern/modern-groups.ts'
import type { HeartbeatAnswer, ModernHeartbeat } from '../modern/modern-heartbeat.ts'
import { type Client, JOINS } from '../modern/modern-member.ts'
import { TopicRegex } from '../regex/topic-regex.ts'
import { ConsumerGroup } from './consumer-group.ts'
import { type ConsumerMember, isStoredMember } from './consumer-member.ts'
import { GroupConfigs } from './group-configs.ts'
import { checkHeartbeat, type HeartbeatRequest } from './heartbeat.ts'

export interface ConsumerGroupsOptions extends ModernGroupsOptions {
  /** Removes a classic group without members: both protocols have the same ids. */
  readonly forgetClassic: (groupId: string) => void
  readonly hasOffsets: (groupId: string) => boolean
}

/** The groups of the newer protocol (KIP-848). */
export class ConsumerGroups extends ModernGroups<ConsumerMember, ConsumerGroup> {
  readonly #options: ConsumerGroupsOptions
  readonly configs: GroupConfigs

  constructor(options: ConsumerGroupsOptions) {
    super('consumer', options)
    this.#options = options
    this.configs = new GroupConfigs(options.state, options.maxGroups)
    this.load(isStoredMember)
  }

  protected create(options: Omit<ModernGroupOptions<ConsumerMember>, 'times'>): ConsumerGroup {
    return new ConsumerGroup({ ...options, times: () => groupTimes(this.configs.of(options.id)) })
  }

  /** @throws {ProtocolError} when the request is wrong, or from a member that is unknown, fenced or one too many */
  async heartbeat(request: HeartbeatRequest, client: Client): Promise<HeartbeatAnswer> {
    checkHeartbeat(request)
    const { subscribedTopicRegex } = request
    // Checked before there is a group for it.
    if (subscribedTopicRegex) new TopicRegex(subscribedTopicRegex)
    let group = this.open(request)
    while (request.memberEpoch >= JOINS && !group.hasMatchedTopics(subscribedTopicRegex)) {
      await group.matchTopics(subscribedTopicRegex)
      group = this.open(request)
    }
    return group.heartbeat(request, client)
  }

  protected override open(request: ModernHeartbeat): ConsumerGroup {
    const isNew = !this.find(request.groupId)
    const group = super.open(request)
    if (isNew) this.#options.forgetClassic(request.groupId)
    return group
  }

  /** Forgets groups without members and offsets. */
  protected override makeRoom(): void {
    if (!this.isFull) return
    for (const { id, size } of this.all) {
      if (size === 0 && !this.#options.hasOffsets(id)) this.forget(id)
    }
  }
}
