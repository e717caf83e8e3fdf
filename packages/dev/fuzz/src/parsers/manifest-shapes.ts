import { resourceJson } from '../kit/manifest-text.ts'
import { createRandom } from '../kit/random.ts'
import { JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { field, JSON_TYPE, PROTOBUF_TYPE, type Probes, YAML_TYPE } from './manifest-probes.ts'
import type { ShapeProbe } from './parser-target.ts'

export function manifestShapes(probes: Probes): readonly ShapeProbe[] {
  return [
    ...documentShapes(probes),
    ...patchShapes(probes),
    ...SELECTOR_SHAPES.flatMap(({ name, make }) =>
      [true, false].map((isLabel) => ({
        name: `${isLabel ? 'label' : 'field'} selector: ${name}`,
        make: () => probes.selector(make(), isLabel),
      })),
    ),
  ]
}

const broker = (spec: string) =>
  `{"apiVersion":"eventing.knative.dev/v1","kind":"Broker","metadata":{"name":"a"},"spec":${spec}}`

function documentShapes(probes: Probes): ShapeProbe[] {
  const texts: Shape<string>[] = [
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name, make },
      { name: `spec.config: ${name}`, make: () => broker(`{"config":${make()}}`) },
      { name: `annotations: ${name}`, make: () => broker('{}').replace('"name"', `"annotations":${make()},"name"`) },
      { name: `unknown: ${name}`, make: () => broker(make()) },
    ]),
    ...TEXT_SHAPES.flatMap(({ name, make }) => [
      { name: `name: ${name}`, make: () => broker('{}').replace('"a"', () => JSON.stringify(make())) },
      { name: `config: ${name}`, make: () => broker(JSON.stringify({ config: make() })) },
    ]),
    ...MEMBER_SHAPES.map(({ name, make }) => ({
      name: `annotations: ${name}`,
      make: () =>
        broker('{}').replace('"name"', () => `"annotations":${JSON.stringify(Object.fromEntries(make()))},"name"`),
    })),
  ]
  return [
    // Files with manifests are the operator's own; only bodies come from strangers.
    ...[...texts, ...YAML_SHAPES].map(({ name, make }) => ({
      name: `YAML body, ${name}`,
      make: () => probes.body(YAML_TYPE, Buffer.from(make())),
    })),
    ...texts.map(({ name, make }) => ({
      name: `JSON body, ${name}`,
      make: () => probes.body(JSON_TYPE, Buffer.from(make())),
    })),
    ...PROTOBUF_SHAPES.map(({ name, make }) => ({
      name: `protobuf, ${name}`,
      make: () => probes.body(PROTOBUF_TYPE, make()),
    })),
  ]
}

const YAML_SHAPES: readonly Shape<string>[] = [
  {
    name: 'aliases of aliases',
    make: () =>
      `a0: &a0 [x,x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index},*a${index}]\n`).join('')}`,
  },
  { name: '100,000 keys', make: () => Array.from({ length: 80_000 }, (_, index) => `k${index}: ${index}\n`).join('') },
  { name: '100,000 documents', make: () => '---\na: 1\n'.repeat(100_000) },
  { name: '6,000 levels of blocks', make: () => `${'- '.repeat(6000)}1` },
  { name: '100,000 levels of blocks', make: () => `${'- '.repeat(100_000)}1` },
  {
    name: '1,000 levels of maps',
    make: () => Array.from({ length: 1000 }, (_, index) => `${' '.repeat(index)}a:\n`).join(''),
  },
  { name: '6,000 question marks', make: () => `${'? '.repeat(6000)}1` },
  { name: '100,000 anchors', make: () => Array.from({ length: 50_000 }, (_, index) => `- &a${index} 1\n`).join('') },
  { name: '100,000 tags', make: () => '- !!str a\n'.repeat(100_000) },
  { name: 'a mebibyte of comments', make: () => '#\n'.repeat(500_000) },
  { name: 'a mebibyte of colons', make: () => ': '.repeat(500_000) },
  { name: 'a long plain scalar of lines', make: () => `a: ${'b\n  '.repeat(250_000)}` },
]

const PROTOBUF_SHAPES: readonly Shape<Buffer>[] = [
  {
    name: 'a mebibyte of empty fields',
    make: () => Buffer.concat([Buffer.from('k8s\0'), Buffer.from('0a00'.repeat(500_000), 'hex')]),
  },
  {
    name: 'a mebibyte of continued bytes',
    make: () => Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(2 ** 20, 0xff)]),
  },
  {
    name: '100,000 labels',
    make: () =>
      Buffer.concat([
        Buffer.from('k8s\0'),
        field(1, Buffer.concat([field(1, 'v1'), field(2, 'Namespace')])),
        field(
          2,
          field(1, Buffer.concat(Array.from({ length: 80_000 }, (_, index) => field(11, field(1, String(index)))))),
        ),
      ]),
  },
]

const SELECTOR_SHAPES: readonly Shape<string>[] = [
  ...TEXT_SHAPES,
  { name: '100,000 requirements', make: () => 'a=b,'.repeat(100_000) },
  { name: '400,000 commas in a set', make: () => `a in (${','.repeat(400_000)})` },
  { name: 'spaces before what does not fit', make: () => `a${' '.repeat(500_000)}%` },
  {
    name: 'spaces around what does not fit',
    make: () => `metadata.name${' '.repeat(100_000)}=${' '.repeat(100_000)}a${' '.repeat(100_000)}\n`,
  },
  { name: '400,000 brackets', make: () => '()'.repeat(400_000) },
]

function patchShapes(probes: Probes): ShapeProbe[] {
  const target = resourceJson(createRandom('patched'), 'Broker', 'a')
  const deep = `${'/a'.repeat(6000)}`
  return [
    ...JSON_SHAPES.flatMap(({ name, make }) => [
      { name: `merge patch: ${name}`, make: () => probes.mergePatch(target, make()) },
      { name: `merge patch, spec: ${name}`, make: () => probes.mergePatch(target, `{"spec":{"config":${make()}}}`) },
      { name: `JSON patch: ${name}`, make: () => probes.jsonPatch(target, make()) },
      {
        name: `JSON patch, value: ${name}`,
        make: () => probes.jsonPatch(target, `[{"op":"add","path":"/spec","value":${make()}}]`),
      },
    ]),
    {
      name: 'a path of 6,000 steps',
      make: () => probes.jsonPatch(target, JSON.stringify([{ op: 'add', path: deep, value: 1 }])),
    },
    {
      name: 'a test of 400,000 steps',
      make: () => probes.jsonPatch(target, JSON.stringify([{ op: 'test', path: '/a'.repeat(400_000), value: 1 }])),
    },
    {
      name: 'a level for each of 1,000 operations',
      make: () =>
        probes.jsonPatch(
          target,
          JSON.stringify(
            Array.from({ length: 1000 }, (_, index) => ({ op: 'add', path: `/spec${'/a'.repeat(index)}`, value: {} })),
          ),
        ),
    },
    {
      name: '1,000 changes of a wide object',
      make: () =>
        probes.jsonPatch(
          broker(`{"config":{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join(',')}}}`),
          JSON.stringify(
            Array.from({ length: 1000 }, (_, index) => ({ op: 'add', path: `/spec/config/x${index}`, value: 1 })),
          ),
        ),
    },
    {
      name: '1,000 changes of a long list',
      make: () =>
        probes.jsonPatch(
          broker(`{"config":[${'0,'.repeat(40_000)}0]}`),
          JSON.stringify(Array.from({ length: 1000 }, () => ({ op: 'add', path: '/spec/config/0', value: 1 }))),
        ),
    },
    {
      name: '1,000 tests of all of it',
      make: () =>
        probes.jsonPatch(
          broker(`{"config":[${'0,'.repeat(40_000)}0]}`),
          `[${Array.from({ length: 20 }, () => `{"op":"test","path":"/spec/config","value":[${'0,'.repeat(2000)}0]}`).join(',')}]`,
        ),
    },
  ]
}
