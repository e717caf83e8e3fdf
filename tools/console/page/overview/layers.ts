import type { NodeKind, PictureEdge, PictureNode } from '../../src/api/system.ts'

export type LayerNode = Pick<PictureNode, 'id' | 'kind'>
export type LayerEdge = Pick<PictureEdge, 'from' | 'to'>

/** A node, or a bend of an edge that is longer than one layer. */
export interface Slot {
  readonly id: string
  readonly isNode: boolean
}

/** Callers come first, then the way in; everything else is where its edges put it. */
const FIRST_LAYER: Partial<Record<NodeKind, number>> = { outside: 0, gateway: 1 }

/**
 * The layer of each node, from 0 on: one more than the farthest of those that lead to it. Edges that close a circle count the other way
 * round. What nothing leads to or from stands with the callers.
 */
export function layersOf(nodes: readonly LayerNode[], edges: readonly LayerEdge[]): ReadonlyMap<string, number> {
  const forward = withoutCircles(nodes, edges)
  const incoming = Map.groupBy(forward, (edge) => edge.to)
  const layers = new Map<string, number>()
  const kinds = new Map(nodes.map((node) => [node.id, node.kind]))
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const layerOf = (id: string): number => {
    const known = layers.get(id)
    if (known !== undefined) return known
    const first = linked.has(id) ? (FIRST_LAYER[kinds.get(id) ?? 'service'] ?? 2) : 0
    const layer = Math.max(first, ...(incoming.get(id) ?? []).map((edge) => layerOf(edge.from) + 1))
    layers.set(id, layer)
    return layer
  }
  for (const node of nodes) layerOf(node.id)
  // No empty column at any place.
  const used = [...new Set(layers.values())].sort((a, b) => a - b)
  return new Map([...layers].map(([id, layer]) => [id, used.indexOf(layer)]))
}

function withoutCircles(nodes: readonly LayerNode[], edges: readonly LayerEdge[]): LayerEdge[] {
  const outgoing = Map.groupBy(edges, (edge) => edge.from)
  const done = new Set<string>()
  const open = new Set<string>()
  const forward: LayerEdge[] = []
  const visit = (id: string) => {
    done.add(id)
    open.add(id)
    for (const edge of outgoing.get(id) ?? []) {
      if (open.has(edge.to)) forward.push({ from: edge.to, to: edge.from })
      else {
        forward.push(edge)
        if (!done.has(edge.to)) visit(edge.to)
      }
    }
    open.delete(id)
  }
  const firstOf = ({ kind }: LayerNode) => FIRST_LAYER[kind] ?? 2
  for (const node of nodes.toSorted((a, b) => firstOf(a) - firstOf(b))) if (!done.has(node.id)) visit(node.id)
  return forward
}
