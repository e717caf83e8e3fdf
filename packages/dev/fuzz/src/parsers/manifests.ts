import { PlatformError } from '@taproom/event-platform/readers'
import { JsonError } from '@taproom/limits'
import { jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import { resourceJson, yamlOf } from '../kit/manifest-text.ts'
import type { Random } from '../kit/random.ts'
import { count, hostileText, mutateBytes, mutateText, word } from '../kit/text.ts'
import { createProbes, field, JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE } from './manifest-probes.ts'
import { manifestShapes } from './manifest-shapes.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

/** Manifests and bodies of the resource API in YAML, JSON and protobuf through admission, patches, and selectors. */
export async function openManifests(): Promise<ParserTarget> {
  const probes = createProbes()
  const input = (random: Random): Probe =>
    random.pick([
      () => probes.body(JSON_TYPE, Buffer.from(perhapsBroken(random, resourceJson(random)))),
      () => probes.body(YAML_TYPE, Buffer.from(perhapsBroken(random, yamlOf(random, resourceJson(random))))),
      () => probes.manifest(perhapsBroken(random, yamlOf(random, resourceJson(random)))),
      () => probes.body(PROTOBUF_TYPE, random.chance(0.5) ? protobuf(random) : mutateBytes(random, protobuf(random))),
      () => probes.mergePatch(resourceJson(random), perhapsBroken(random, resourceJson(random))),
      () => probes.jsonPatch(resourceJson(random), patchOf(random)),
      () =>
        probes.selector(
          random.chance(0.7) ? selectorOf(random) : mutateText(random, selectorOf(random)),
          random.chance(0.5),
        ),
    ])()
  return {
    shapes: manifestShapes(probes),
    input,
    isOwn: (error) => error instanceof PlatformError || error instanceof JsonError,
  }
}

const PATHS = [
  '',
  '/',
  '/spec',
  '/spec/delivery/retry',
  '/metadata/labels/a~1b',
  '/spec/filters/-',
  '/spec/filters/0',
  '/__proto__/x',
  '/a~',
  '/spec/filters/1e3',
]

function patchOf(random: Random): string {
  const operations = Array.from({ length: count(random, 1100) }, () =>
    objectOf(
      knownMembers(random, {
        op: ['"add"', '"remove"', '"replace"', '"test"', '"move"', '"copy"'],
        path: [JSON.stringify(random.chance(0.8) ? random.pick(PATHS) : `/${hostileText(random)}`)],
        value: [jsonValue(random, 2)],
        from: ['"/spec"'],
      }),
    ),
  )
  return `[${operations.join(',')}]`
}

function selectorOf(random: Random): string {
  return Array.from({ length: count(random, 5000) }, () => {
    const key = random.chance(0.7)
      ? random.pick(['a', 'x/y', 'metadata.name', 'metadata.namespace'])
      : hostileText(random)
    return random.pick([
      `${key}=b`,
      `${key}!=b`,
      `${key} in (a, b)`,
      `${key} notin (a,,b)`,
      `!${key}`,
      key,
      `${key} == `,
      `${key} in (`,
    ])
  }).join(random.pick([',', ',', ', ', ',,']))
}

function protobuf(random: Random): Buffer {
  const pairs = Array.from({ length: count(random, 3000) }, () =>
    field(11 + random.below(2), Buffer.concat([field(1, word(random)), field(2, hostileText(random))])),
  )
  const metadata = Buffer.concat([field(1, random.pick(['fuzz', '', 'A', hostileText(random)])), ...pairs])
  const type = Buffer.concat([field(1, 'v1'), field(2, random.pick(['Namespace', 'Service', hostileText(random)]))])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, field(1, metadata))])
}
