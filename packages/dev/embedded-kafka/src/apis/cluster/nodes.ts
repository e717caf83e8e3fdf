import type { RequestContext } from '../definition/api.ts'

/** The one broker there is, at the address where this client reached it. */
export function ownNode({ broker, address }: RequestContext) {
  return { nodeId: broker.nodeId, ...address }
}
