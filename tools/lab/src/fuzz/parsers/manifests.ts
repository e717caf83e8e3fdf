import { JsonError } from '@taproom/core/limits'
import { PlatformError } from '@taproom/event-platform/readers'
import type { Random } from '../../harness/random.ts'
import { arrayOf, jsonValue, knownObject, perhapsBroken } from '../kit/json.ts'
import { resourceJson, yamlOf } from '../kit/manifest-text.ts'
import { hostileText, mutateBytes, mutateText, several, word } from '../kit/text.ts'
import {
  bodyProbe,
  field,
  fileProbe,
  JSON_TYPE,
  PROTOBUF_TYPE,
  patchProbe,
  protobufOf,
  selectorProbe,
  YAML_TYPE,
} from './manifest-probes.ts'
import { MANIFEST_SHAPES } from './manifest-shapes.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

/** Manifests and bodies of the resource API in YAML, JSON and protobuf through admission, patches, and selectors. */
export async function openManifests(): Promise<ParserTarget> {
  return {
    shapes: MANIFEST_SHAPES,
    input: (random) => random.pick(INPUTS)(random),
    isOwn: (error) => error instanceof PlatformError || error instanceof JsonError,
  }
}

const INPUTS: readonly ((random: Random) => Probe)[] = [
  (random) => bodyProbe(JSON_TYPE, perhapsBroken(random, resourceJson(random))),
  (random) => bodyProbe(YAML_TYPE, perhapsBroken(random, yamlOf(random, resourceJson(random)))),
  (random) => fileProbe(perhapsBroken(random, yamlOf(random, resourceJson(random)))),
  (random) => bodyProbe(PROTOBUF_TYPE, random.chance(0.5) ? protobuf(random) : mutateBytes(random, protobuf(random))),
  (random) => patchProbe('merge', resourceJson(random), perhapsBroken(random, resourceJson(random))),
  (random) => patchProbe('json', resourceJson(random), patchOf(random)),
  (random) => {
    const selector = random.chance(0.7) ? selectorOf(random) : mutateText(random, selectorOf(random))
    return selectorProbe(random.chance(0.5) ? 'labelSelector' : 'fieldSelector', selector)
  },
]

const PATHS = [
  '',
  ...'/ /spec /spec/delivery/retry /metadata/labels/a~1b'.split(' '),
  ...'/spec/filters/- /spec/filters/0 /__proto__/x /a~ /spec/filters/1e3'.split(' '),
]

function patchOf(random: Random): string {
  const operation = () =>
    knownObject(random, {
      op: ['"add"', '"remove"', '"replace"', '"test"', '"move"', '"copy"'],
      path: [JSON.stringify(random.chance(0.8) ? random.pick(PATHS) : `/${hostileText(random)}`)],
      value: [jsonValue(random, 2)],
      from: ['"/spec"'],
    })
  return arrayOf(several(random, 1100, operation))
}

const KEYS = ['a', 'x/y', 'metadata.name', 'metadata.namespace']
const CONDITIONS = ['=b', '!=b', ' in (a, b)', ' notin (a,,b)', '', ' == ', ' in (']

function selectorOf(random: Random): string {
  const requirement = () => {
    const key = random.chance(0.7) ? random.pick(KEYS) : hostileText(random)
    return random.pick([...CONDITIONS.map((condition) => key + condition), `!${key}`])
  }
  return several(random, 5000, requirement).join(random.pick([',', ',', ', ', ',,']))
}

function protobuf(random: Random): Buffer {
  const pair = () => field(11 + random.below(2), field(1, word(random)), field(2, hostileText(random)))
  const pairs = several(random, 3000, pair)
  const metadata = field(1, field(1, random.pick(['fuzz', '', 'A', hostileText(random)])), ...pairs)
  const type = field(1, field(1, 'v1'), field(2, random.pick(['Namespace', 'Service', hostileText(random)])))
  return protobufOf(type, field(2, metadata))
}
