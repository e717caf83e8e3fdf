import { flag, number, replicas, type Setting } from './setting.ts'

const isWithoutEffect = true

/** Settings of replicas, and of remote storage, of which there is none. */
export const REPLICATION_SETTINGS: readonly Setting[] = [
  number('int', 'min.insync.replicas', '1', 'How many replicas must have a record that is produced with acks=all.', {
    least: 1,
    broker: 'min.insync.replicas',
  }),
  flag('unclean.leader.election.enable', 'Whether a replica that is behind may become leader.', {
    broker: 'unclean.leader.election.enable',
  }),
  replicas('leader.replication.throttled.replicas', 'Replicas whose leader sends more slowly.'),
  replicas('follower.replication.throttled.replicas', 'Replicas that are filled more slowly.'),
  flag('remote.storage.enable', 'Whether old segments go to a remote store.', { isWithoutEffect }),
  flag('remote.log.copy.disable', 'Whether segments are no longer copied to the remote store.', { isWithoutEffect }),
  flag('remote.log.delete.on.disable', 'Whether remote segments go when the remote store is switched off.', {
    isWithoutEffect,
  }),
  number('long', 'local.retention.ms', '-2', 'How long segments stay here beside the remote store; -2: retention.ms.', {
    least: -2,
    broker: 'log.local.retention.ms',
    isWithoutEffect,
  }),
  number('long', 'local.retention.bytes', '-2', 'How much stays here beside the remote store; -2: retention.bytes.', {
    least: -2,
    broker: 'log.local.retention.bytes',
    isWithoutEffect,
  }),
]
