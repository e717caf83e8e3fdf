import { type LayerEdge, type LayerNode, layersOf, type Slot } from './layers.ts'
import { orderLayers } from './order.ts'
import { settle } from './settle.ts'

export const NODE_HEIGHT = 46
/** Between the nodes of two layers: the labels of edges are there. */
export const GAP = 62
/** The least width shows the beginning of a name, the most a whole one. */
const NODE_WIDTHS = { least: 90, most: 156 }
const MARGIN = 14

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Layout<E extends LayerEdge> {
  readonly nodeWidth: number
  readonly width: number
  readonly height: number
  readonly places: ReadonlyMap<string, Point>
  /** From the side of one node over the bends to the side of the other. */
  readonly routes: readonly { readonly edge: E; readonly points: readonly Point[] }[]
}

/**
 * A layered picture, from left to right: few crossings, short edges, and the same for the same nodes and edges. Nodes become narrower where
 * the picture would be wider than `room`, as far as their names allow.
 */
export function layout<E extends LayerEdge>(
  allNodes: readonly LayerNode[],
  allEdges: readonly E[],
  room: number,
): Layout<E> {
  const nodes = allNodes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const known = new Set(nodes.map((node) => node.id))
  const edges = allEdges
    .filter((edge) => known.has(edge.from) && known.has(edge.to) && edge.from !== edge.to)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const layers = layersOf(nodes, edges)
  const slots: Slot[][] = Array.from({ length: Math.max(-1, ...layers.values()) + 1 }, () => [])
  for (const node of nodes) slots[layers.get(node.id) ?? 0]?.push({ id: node.id, isNode: true })
  const chains = edges.map((edge) => chainOf(edge, layers, slots))
  const links = chains.flatMap((chain) => chain.slice(1).map((id, index) => ({ from: chain[index] ?? id, to: id })))
  const ordered = orderLayers(slots, links)
  const heights = settle(ordered, links)

  const wished = Math.floor((room - 2 * MARGIN + GAP) / Math.max(1, slots.length)) - GAP
  const nodeWidth = Math.min(NODE_WIDTHS.most, Math.max(NODE_WIDTHS.least, wished))
  const column = nodeWidth + GAP
  const points = new Map<string, Point>()
  for (const [layer, row] of ordered.entries())
    for (const slot of row)
      points.set(slot.id, { x: MARGIN + nodeWidth / 2 + layer * column, y: heights.get(slot.id) ?? 0 })
  const lowest = Math.max(0, ...[...points.values()].map((point) => point.y))
  return {
    nodeWidth,
    width: 2 * MARGIN + nodeWidth + Math.max(0, slots.length - 1) * column,
    height: lowest + NODE_HEIGHT / 2 + MARGIN,
    places: new Map([...points].filter(([id]) => known.has(id))),
    routes: routesOf(edges, chains, { points, nodeWidth }),
  }
}

function keyOf(edge: LayerEdge): string {
  return `${edge.from}\n${edge.to}`
}

/** The slots an edge passes, from left to right; puts its bends into the layers between. */
function chainOf(edge: LayerEdge, layers: ReadonlyMap<string, number>, slots: Slot[][]): string[] {
  const ends = [edge.from, edge.to].toSorted((a, b) => (layers.get(a) ?? 0) - (layers.get(b) ?? 0))
  const [left = edge.from, right = edge.to] = ends
  const chain = [left]
  for (let layer = (layers.get(left) ?? 0) + 1; layer < (layers.get(right) ?? 0); layer += 1) {
    const id = `bend ${keyOf(edge)} ${layer}`
    if (!slots[layer]?.some((slot) => slot.id === id)) slots[layer]?.push({ id, isNode: false })
    chain.push(id)
  }
  return [...chain, right]
}

function routesOf<E extends LayerEdge>(
  edges: readonly E[],
  chains: readonly (readonly string[])[],
  { points, nodeWidth }: { readonly points: ReadonlyMap<string, Point>; readonly nodeWidth: number },
) {
  const at = (id: string | undefined) => points.get(id ?? '') ?? { x: 0, y: 0 }
  // Edges that share the side of a node lie beside each other, in the order of where they go.
  const portOf = (chain: readonly string[], isLeft: boolean): number => {
    const end = isLeft ? chain[0] : chain.at(-1)
    const next = (one: readonly string[]) => at(isLeft ? one[1] : one.at(-2)).y
    const same = chains.filter((one) => (isLeft ? one[0] : one.at(-1)) === end).toSorted((a, b) => next(a) - next(b))
    const step = Math.min(9, (NODE_HEIGHT - 12) / Math.max(1, same.length))
    return (same.indexOf(chain) - (same.length - 1) / 2) * step
  }
  return edges.map((edge, index) => {
    const chain = chains[index] ?? []
    const first = at(chain[0])
    const last = at(chain.at(-1))
    const bends = chain.slice(1, -1).flatMap((id) => {
      const { x, y } = at(id)
      return [
        { x: x - nodeWidth / 2, y },
        { x: x + nodeWidth / 2, y },
      ]
    })
    const route = [
      { x: first.x + nodeWidth / 2, y: first.y + portOf(chain, true) },
      ...bends,
      { x: last.x - nodeWidth / 2, y: last.y + portOf(chain, false) },
    ]
    return { edge, points: chain[0] === edge.from ? route : route.toReversed() }
  })
}
