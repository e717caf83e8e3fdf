import type { StateStore } from '../storage/state-store.ts'
import type { SharedState } from './broker.ts'

/** Tables of what stays: the id of the cluster, and which producer ids were given out. */
const KEPT_TABLES = ['cluster', 'producer-ids']

/** Deletes topics, groups, transactions, users, ACLs, quotas and changed settings; connections are closed, and rules end. */
export function emptyCluster(shared: SharedState, state: StateStore): void {
  const { faults, topics, groups, transactions, acls, brokerConfigs, nodes, clients } = shared
  // Before the rules end: requests that a rule holds are not for the new cluster.
  clients.drop({})
  faults.clear()
  for (const { name } of topics.all) topics.delete(name)
  groups.close()
  for (const groupId of groups.offsets.groupIds) groups.offsets.deleteGroup(groupId)
  transactions.close()
  for (const acl of acls.all) acls.remove(acl)
  for (const id of [undefined, ...nodes.all.map((node) => node.id)]) brokerConfigs.configure(id, {})
  state.clear(KEPT_TABLES)
}
