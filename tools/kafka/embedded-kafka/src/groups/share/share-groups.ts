import { type GroupConfig, shareGroupTimes, shareRules } from '../../settings/group-settings.ts'
import { MAX_SHARE_GROUP_MEMBERS } from '../../settings/share-settings.ts'
import { SharePartitions } from '../../shares/share-partitions.ts'
import type { ModernGroupOptions } from '../modern/modern-group.ts'
import { ModernGroups, type ModernGroupsOptions } from '../modern/modern-groups.ts'
import type { HeartbeatAnswer, ModernHeartbeat } from '../modern/modern-heartbeat.ts'
import { type Client, isStoredModernMember, type ModernMember } from '../modern/modern-member.ts'
import { ShareGroup } from './share-group.ts'
import { checkShareHeartbeat } from './share-heartbeat.ts'

export interface ShareGroupsOptions extends ModernGroupsOptions {
  readonly configOf: (groupId: string) => GroupConfig
}

/** The share groups (KIP-932); where they are in their partitions is durable, too. */
export class ShareGroups extends ModernGroups<ModernMember, ShareGroup> {
  readonly #configOf: (groupId: string) => GroupConfig
  readonly partitions: SharePartitions

  constructor(options: ShareGroupsOptions) {
    // More than 200 there are never, as in Apache Kafka.
    super('share', { ...options, maxGroupMembers: Math.min(options.maxGroupMembers, MAX_SHARE_GROUP_MEMBERS) })
    const { state, clock, configOf } = options
    this.#configOf = configOf
    this.partitions = new SharePartitions({ state, clock, rulesOf: (groupId) => shareRules(configOf(groupId)) })
    this.load(isStoredModernMember)
  }

  protected create(options: Omit<ModernGroupOptions<ModernMember>, 'times'>): ShareGroup {
    const { id: groupId } = options
    return new ShareGroup({
      ...options,
      times: () => shareGroupTimes(this.#configOf(groupId)),
      begin: (topics) => {
        const keys = [...topics].flatMap(([topicId, count]) =>
          Array.from({ length: count }, (_, index) => ({ groupId, topicId, index })),
        )
        this.partitions.add(keys)
      },
    })
  }

  /** @throws {ProtocolError} when the request is wrong, or from a member that is unknown, fenced or one too many */
  heartbeat(request: ModernHeartbeat, client: Client): HeartbeatAnswer {
    checkShareHeartbeat(request)
    return this.open(request).heartbeat(request, client)
  }

  override forget(groupId: string): void {
    super.forget(groupId)
    this.partitions.delete(this.partitions.of(groupId))
  }

  override close(): void {
    super.close()
    this.partitions.close()
  }
}
