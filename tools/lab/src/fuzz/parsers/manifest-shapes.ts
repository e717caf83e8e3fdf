import { createRandom } from '../../harness/random.ts'
import { resourceJson } from '../kit/manifest-text.ts'
import { inPlaces, JSON_SHAPES, list, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import {
  bodyProbe,
  field,
  JSON_TYPE,
  PROTOBUF_TYPE,
  patchProbe,
  protobufOf,
  selectorProbe,
  YAML_TYPE,
} from './manifest-probes.ts'
import type { Probe } from './parser-target.ts'

const broker = (spec: string, annotations = '{}', name = '"a"') =>
  `{"apiVersion":"eventing.knative.dev/v1","kind":"Broker","metadata":{"annotations":${annotations},"name":${name}},"spec":${spec}}`

const OBJECT_SHAPES: readonly Shape<string>[] = [
  ...inPlaces(JSON_SHAPES, {
    'as it is': (json) => json,
    'spec.config': (json) => broker(`{"config":${json}}`),
    annotations: (json) => broker('{}', json),
    unknown: (json) => broker(json),
  }),
  ...inPlaces(TEXT_SHAPES, {
    name: (text) => broker('{}', '{}', JSON.stringify(text)),
    config: (config) => broker(JSON.stringify({ config })),
  }),
  ...inPlaces(MEMBER_SHAPES, { annotations: (pairs) => broker('{}', JSON.stringify(Object.fromEntries(pairs))) }),
]

const YAML_SHAPES: readonly Shape<string>[] = Object.entries({
  'aliases of aliases': () =>
    `a0: &a0 [x,x]\n${list(30, (index) => `a${index + 1}: &a${index + 1} [*a${index},*a${index}]\n`, '')}`,
  '80,000 keys': () => list(80_000, (index) => `k${index}: ${index}\n`, ''),
  '100,000 documents': () => '---\na: 1\n'.repeat(100_000),
  '6,000 levels of blocks': () => `${'- '.repeat(6000)}1`,
  '100,000 levels of blocks': () => `${'- '.repeat(100_000)}1`,
  '1,000 levels of maps': () => list(1000, (index) => `${' '.repeat(index)}a:\n`, ''),
  '6,000 question marks': () => `${'? '.repeat(6000)}1`,
  '50,000 anchors': () => list(50_000, (index) => `- &a${index} 1\n`, ''),
  '100,000 tags': () => '- !!str a\n'.repeat(100_000),
  'a mebibyte of comments': () => '#\n'.repeat(500_000),
  'a mebibyte of colons': () => ': '.repeat(500_000),
  'a long plain scalar of lines': () => `a: ${'b\n  '.repeat(250_000)}`,
})

const labels = (length: number) =>
  Buffer.concat(Array.from({ length }, (_, index) => field(11, field(1, String(index)))))
const PROTOBUF_SHAPES: readonly Shape<Buffer>[] = Object.entries({
  'a mebibyte of empty fields': () => protobufOf(Buffer.from('0a00'.repeat(500_000), 'hex')),
  'a mebibyte of continued bytes': () => protobufOf(Buffer.alloc(2 ** 20, 0xff)),
  '80,000 labels': () =>
    protobufOf(field(1, field(1, 'v1'), field(2, 'Namespace')), field(2, field(1, labels(80_000)))),
})

const SELECTOR_SHAPES: readonly Shape<string>[] = [
  ...TEXT_SHAPES,
  ...Object.entries({
    '100,000 requirements': () => 'a=b,'.repeat(100_000),
    '400,000 commas in a set': () => `a in (${','.repeat(400_000)})`,
    'spaces before what does not fit': () => `a${' '.repeat(500_000)}%`,
    'spaces around what does not fit': () =>
      `metadata.name${' '.repeat(100_000)}=${' '.repeat(100_000)}a${' '.repeat(100_000)}\n`,
    '400,000 brackets': () => '()'.repeat(400_000),
  }),
]

const TARGET = resourceJson(createRandom('patched'), 'Broker', 'a')
const LONG_LIST = broker(`{"config":[${'0,'.repeat(40_000)}0]}`)

/** A JSON patch with an operation for each index. */
const patchOf = (length: number, operation: (index: number) => object, target = TARGET): Probe =>
  patchProbe('json', target, JSON.stringify(Array.from({ length }, (_, index) => operation(index))))

const PATCH_SHAPES: readonly Shape<Probe>[] = [
  ...inPlaces(JSON_SHAPES, {
    'merge patch': (json) => patchProbe('merge', TARGET, json),
    'merge patch, spec': (json) => patchProbe('merge', TARGET, `{"spec":{"config":${json}}}`),
    'JSON patch': (json) => patchProbe('json', TARGET, json),
    'JSON patch, value': (json) => patchProbe('json', TARGET, `[{"op":"add","path":"/spec","value":${json}}]`),
  }),
  ...Object.entries({
    'a path of 6,000 steps': () => patchOf(1, () => ({ op: 'add', path: '/a'.repeat(6000), value: 1 })),
    'a test of 400,000 steps': () => patchOf(1, () => ({ op: 'test', path: '/a'.repeat(400_000), value: 1 })),
    'a level for each of 1,000 operations': () =>
      patchOf(1000, (index) => ({ op: 'add', path: `/spec${'/a'.repeat(index)}`, value: {} })),
    '1,000 changes of a wide object': () => {
      const wide = broker(`{"config":{${list(20_000, (index) => `"k${index}":0`)}}}`)
      return patchOf(1000, (index) => ({ op: 'add', path: `/spec/config/x${index}`, value: 1 }), wide)
    },
    '1,000 changes of a long list': () =>
      patchOf(1000, () => ({ op: 'add', path: '/spec/config/0', value: 1 }), LONG_LIST),
    '20 tests of all of it': () =>
      patchOf(20, () => ({ op: 'test', path: '/spec/config', value: Array(2001).fill(0) }), LONG_LIST),
  }),
]

/** Files with manifests are the operator's own; only bodies come from strangers. */
export const MANIFEST_SHAPES: readonly Shape<Probe>[] = [
  ...inPlaces([...OBJECT_SHAPES, ...YAML_SHAPES], { 'YAML body': (text) => bodyProbe(YAML_TYPE, text) }),
  ...inPlaces(OBJECT_SHAPES, { 'JSON body': (text) => bodyProbe(JSON_TYPE, text) }),
  ...inPlaces(PROTOBUF_SHAPES, { protobuf: (bytes) => bodyProbe(PROTOBUF_TYPE, bytes) }),
  ...PATCH_SHAPES,
  ...inPlaces(SELECTOR_SHAPES, {
    'label selector': (text) => selectorProbe('labelSelector', text),
    'field selector': (text) => selectorProbe('fieldSelector', text),
  }),
]
