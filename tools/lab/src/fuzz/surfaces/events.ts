import { LEGAL, STRUCTURED, STRUCTURED_SHAPES, structuredEvent } from '../kit/event-text.ts'
import { inPlaces, JSON_SHAPES } from '../kit/shapes.ts'
import type { Example } from '../servers/http-input.ts'
import type { HttpTargetOptions } from '../servers/http-target.ts'

const BINARY = [
  ...LEGAL.map(([name, value]) => [`Ce-${name}`, value] as const),
  ['Content-Type', 'application/json'],
] as const

/** A post of one event to a path, in binary mode. */
export function eventAt(path: string): Example {
  return { method: 'POST', path, headers: BINARY, body: '{"message":"hello"}' }
}

/** Posts of events to a path, in both modes. */
export function eventExample(path: string): HttpTargetOptions['example'] {
  return (random) => (random.chance(0.5) ? eventAt(path) : structuredAt(path, structuredEvent(random)))
}

/** Posts of all shapes to a path. */
export function eventShapes(path: string): NonNullable<HttpTargetOptions['shapes']> {
  return [
    ...inPlaces(STRUCTURED_SHAPES, { structured: (body) => structuredAt(path, body) }),
    ...inPlaces(JSON_SHAPES, { binary: (body) => ({ ...eventAt(path), body }) }),
  ]
}

function structuredAt(path: string, body: string): Example {
  return { method: 'POST', path, headers: [['Content-Type', STRUCTURED]], body }
}
