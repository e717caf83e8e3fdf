import type { RequestContext } from '../definition/api.ts'

/** A broker as this client reaches it. */
export interface ReachableNode {
  readonly nodeId: number
  readonly host: string
  readonly port: number
  readonly rack: string | null
  /** It belongs to the cluster, and does not live. */
  readonly isFenced: boolean
}

/** The brokers that have the listener by which this client came: all advertise the same host. */
export function registeredNodes({ broker, address, listener }: RequestContext): readonly ReachableNode[] {
  return broker.nodes.all.flatMap(({ id: nodeId, rack, ports, isLive }) => {
    const port = nodeId === broker.nodeId ? address.port : ports.get(listener)
    return port === undefined ? [] : [{ nodeId, host: address.host, port, rack, isFenced: !isLive }]
  })
}

/** Those of them that live. */
export function reachableNodes(context: RequestContext): readonly ReachableNode[] {
  return registeredNodes(context).filter(({ isFenced }) => !isFenced)
}
