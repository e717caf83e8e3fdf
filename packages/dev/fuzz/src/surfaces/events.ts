import { JSON_SHAPES, MEMBER_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { structuredEvent } from '../parsers/events.ts'
import type { Example } from '../servers/http-input.ts'
import type { HttpTargetOptions } from '../servers/http-target.ts'

const STRUCTURED = [['Content-Type', 'application/cloudevents+json']] as const
const ATTRIBUTES = [
  ...([
    ['Ce-Specversion', '1.0'],
    ['Ce-Id', '1'],
    ['Ce-Type', 'greeting'],
    ['Ce-Source', '/fuzz'],
    ['Content-Type', 'application/json'],
  ] as const),
]

/** A post of one event to a path, in binary mode. */
export function eventAt(path: string): Example {
  return { method: 'POST', path, headers: ATTRIBUTES, body: '{"message":"hello"}' }
}

/** Posts of events to a path, in both modes. */
export function eventExample(path: string): HttpTargetOptions['example'] {
  return (random) =>
    random.chance(0.5) ? eventAt(path) : { method: 'POST', path, headers: STRUCTURED, body: structuredEvent(random) }
}

export function eventShapes(path: string): NonNullable<HttpTargetOptions['shapes']> {
  const legal = '"specversion":"1.0","id":"1","source":"/fuzz","type":"greeting"'
  const structured = (members: string): Example => ({
    method: 'POST',
    path,
    headers: STRUCTURED,
    body: `{${legal},${members}}`,
  })
  return [
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name: `data: ${name}`, make: () => structured(`"data":${make()}`) },
      { name: `attribute: ${name}`, make: () => structured(`"x":${make()}`) },
      { name: `body: ${name}`, make: (): Example => ({ method: 'POST', path, headers: STRUCTURED, body: make() }) },
      { name: `binary: ${name}`, make: (): Example => ({ ...eventAt(path), body: make() }) },
    ]),
    ...TEXT_SHAPES.flatMap(({ name, make }) =>
      ['x', 'subject', 'source', 'datacontenttype', 'data'].map((member) => ({
        name: `${member}: ${name}`,
        make: () => structured(`"${member}":${JSON.stringify(make())}`),
      })),
    ),
    ...MEMBER_SHAPES.map(({ name, make }) => ({
      name,
      make: () =>
        structured(
          make()
            .map(([member, value]) => `${JSON.stringify(member)}:${JSON.stringify(value)}`)
            .join(','),
        ),
    })),
  ]
}
