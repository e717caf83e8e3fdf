import type { OwnRecord } from '../records/own-batch.ts'
import type { Codec, Version } from '../wire/codec.ts'
import { array, bytes, int16, int32, int64, nullableString, string } from '../wire/primitives.ts'
import { constant, struct } from '../wire/struct.ts'
import { Writer } from '../wire/writer.ts'
import type { PartitionOffset } from './committed-offset.ts'
import type { Group } from './group.ts'

/** What Apache Kafka 4.1 writes: the kind of the record before its key, its version before its value. */
const offsetKey = struct({ kind: constant(int16, 1), groupId: string, topic: string, partition: int32 })
const offsetValue = struct({
  version: constant(int16, 4),
  offset: int64,
  leaderEpoch: int32,
  metadata: string,
  commitTimestamp: int64,
})
const groupKey = struct({ kind: constant(int16, 2), groupId: string })
const groupValue = struct({
  version: constant(int16, 3),
  protocolType: string,
  generation: int32,
  protocol: nullableString,
  leader: nullableString,
  currentStateTimestamp: int64,
  members: array(
    struct({
      memberId: string,
      groupInstanceId: nullableString,
      clientId: string,
      clientHost: string,
      rebalanceTimeout: int32,
      sessionTimeout: int32,
      subscription: bytes,
      assignment: bytes,
    }),
  ),
})

const FIXED: Version = { number: 0, flexible: false }
const FLEXIBLE: Version = { number: 4, flexible: true }

function encoded<T>(codec: Codec<T>, value: T, version = FIXED): Buffer {
  const writer = new Writer()
  codec.write(writer, value, version)
  const parts = writer.finish()
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

const offsetKeyOf = (groupId: string, topic: string, partition: number) =>
  encoded(offsetKey, { groupId, topic, partition })

export function committedRecord(groupId: string, committed: PartitionOffset, commitTimestamp: number): OwnRecord {
  const { topic, partition, offset, leaderEpoch, metadata } = committed
  const value = { offset, leaderEpoch, metadata: metadata ?? '', commitTimestamp }
  return { key: offsetKeyOf(groupId, topic, partition), value: encoded(offsetValue, value, FLEXIBLE) }
}

export function forgottenRecord(groupId: string, topic: string, partition: number): OwnRecord {
  return { key: offsetKeyOf(groupId, topic, partition), value: null }
}

/** A classic group with its members and what each has of its partitions. */
export function groupRecord(group: Group, currentStateTimestamp: number): OwnRecord {
  const { id: generation, protocolType, protocolName: protocol, leaderId } = group.protocol
  const members = group.members.map((member) => ({
    memberId: member.id,
    groupInstanceId: member.instanceId,
    clientId: member.clientId,
    clientHost: member.clientHost,
    rebalanceTimeout: member.rebalanceTimeoutMs,
    sessionTimeout: member.sessionTimeoutMs,
    subscription: member.metadataFor(protocol ?? ''),
    assignment: member.assignment,
  }))
  const leader = members.length > 0 ? leaderId : null
  const value = { protocolType, generation, protocol, leader, currentStateTimestamp, members }
  return { key: encoded(groupKey, { groupId: group.id }), value: encoded(groupValue, value) }
}

export function goneRecord(groupId: string): OwnRecord {
  return { key: encoded(groupKey, { groupId }), value: null }
}
