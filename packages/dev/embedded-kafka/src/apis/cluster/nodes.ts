import type { RequestContext } from '../definition/api.ts'

/** The one broker there is, at the address for this client. */
export function ownNode({ broker, address }: RequestContext) {
  return { nodeId: broker.nodeId, ...address }
}
