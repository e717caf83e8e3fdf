import { describe, expect, it } from 'vitest'
import { layersOf } from '../page/overview/layers.ts'
import { layout, NODE_HEIGHT } from '../page/overview/layout.ts'
import { crossings, orderLayers } from '../page/overview/order.ts'
import type { NodeKind } from '../src/api/system.ts'

const node = (id: string) => ({ id, kind: id.split('/')[0] as NodeKind })
const NODES = [
  'outside/callers',
  'gateway/gateway',
  'service/movie-api',
  'service/claim-api',
  'service/beer-stream',
  'service/price-generator',
  'topic/beer',
  'topic/priced-beer',
  'broker/default',
  'trigger/aloha',
  'sink/aloha',
  'database/films',
  'remote/films',
].map(node)
const EDGES = [
  ['outside/callers', 'gateway/gateway'],
  ['gateway/gateway', 'service/movie-api'],
  ['gateway/gateway', 'service/claim-api'],
  ['gateway/gateway', 'service/beer-stream'],
  ['gateway/gateway', 'broker/default'],
  ['service/movie-api', 'database/films'],
  ['service/movie-api', 'remote/films'],
  ['topic/beer', 'service/price-generator'],
  ['service/price-generator', 'topic/priced-beer'],
  ['topic/priced-beer', 'service/beer-stream'],
  ['broker/default', 'trigger/aloha'],
  ['trigger/aloha', 'sink/aloha'],
  // The sink's reply.
  ['sink/aloha', 'broker/default'],
].map(([from = '', to = '']) => ({ from, to }))

const ROOM = 1200

describe('layout of the picture', () => {
  const { places, routes, width, height, nodeWidth } = layout(NODES, EDGES, ROOM)
  const at = (id: string) => places.get(id) ?? { x: Number.NaN, y: Number.NaN }

  it('puts callers left, and each thing right of what leads to it', () => {
    expect(at('outside/callers').x).toBe(Math.min(...[...places.values()].map(({ x }) => x)))
    for (const { from, to } of EDGES.slice(0, -1)) expect(at(from).x, `${from} to ${to}`).toBeLessThan(at(to).x)
  })

  it('lets no two nodes overlap, and none leave the picture', () => {
    const all = [...places]
    for (const [index, [id, one]] of all.entries()) {
      expect(one.x - nodeWidth / 2).toBeGreaterThanOrEqual(0)
      expect(one.y - NODE_HEIGHT / 2).toBeGreaterThanOrEqual(0)
      expect(one.x + nodeWidth / 2).toBeLessThanOrEqual(width)
      expect(one.y + NODE_HEIGHT / 2).toBeLessThanOrEqual(height)
      for (const [other, two] of all.slice(index + 1)) {
        const isApart = Math.abs(one.x - two.x) >= nodeWidth || Math.abs(one.y - two.y) >= NODE_HEIGHT
        expect(isApart, `${id} and ${other}`).toBe(true)
      }
    }
  })

  it('draws every edge from the side of one node to the side of the other, also those that go back', () => {
    expect(routes).toHaveLength(EDGES.length)
    for (const { edge, points } of routes) {
      const [first, last] = [points[0], points.at(-1)]
      expect(Math.abs((first?.x ?? 0) - at(edge.from).x)).toBe(nodeWidth / 2)
      expect(Math.abs((last?.x ?? 0) - at(edge.to).x)).toBe(nodeWidth / 2)
    }
  })

  it('fits into the room with narrower nodes, until their names could not be read', () => {
    const widthIn = (room: number) => layout(NODES, EDGES, room).width
    expect(widthIn(5000)).toBeLessThan(2000)
    for (const room of [1000, 1200]) expect(widthIn(room)).toBeLessThanOrEqual(room)
    expect(widthIn(300)).toBe(widthIn(400))
  })

  it('is the same whatever the order of nodes and edges', () => {
    const again = layout(NODES.toReversed(), EDGES.toReversed(), ROOM)
    expect(Object.fromEntries(again.places)).toEqual(Object.fromEntries(places))
  })

  it('leaves out edges to what is not there, and stands with nothing at all', () => {
    expect(layout([node('gateway/gateway')], [{ from: 'gateway/gateway', to: 'service/gone' }], ROOM).routes).toEqual(
      [],
    )
    expect(layout([], [], ROOM).places.size).toBe(0)
  })
})

describe('layers', () => {
  it('end for services that call each other in a circle', () => {
    const circle = ['a', 'b', 'c'].map((name) => node(`service/${name}`))
    const layers = layersOf(circle, [
      { from: 'service/a', to: 'service/b' },
      { from: 'service/b', to: 'service/c' },
      { from: 'service/c', to: 'service/a' },
    ])
    expect(new Set(layers.values())).toEqual(new Set([0, 1, 2]))
  })
})

describe('order of the layers', () => {
  it('takes out crossings that need not be', () => {
    const slot = (id: string) => ({ id, isNode: true })
    const rows = [['a', 'b', 'c'].map(slot), ['x', 'y', 'z'].map(slot)]
    const links = [
      { from: 'a', to: 'z' },
      { from: 'b', to: 'y' },
      { from: 'c', to: 'x' },
    ]
    expect(crossings(rows, links)).toBe(3)
    expect(crossings(orderLayers(rows, links), links)).toBe(0)
  })
})
