import { Readable } from 'node:stream'
import { LIMITS } from '@taproom/core/limits'
import {
  admit,
  createManifestReader,
  createObjectReader,
  jsonPatch,
  mergePatch,
  parseSelectors,
} from '@taproom/event-platform/readers'
import { withinLimits } from '../kit/json.ts'
import { uvarint } from '../kit/varint.ts'
import type { Probe } from './parser-target.ts'

export const JSON_TYPE = 'application/json'
export const YAML_TYPE = 'application/yaml'
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf'

const OBJECT_LIMITS = { maxDepth: LIMITS.objectDepth, maxValues: LIMITS.objectValues }
const reader = createObjectReader()
const readManifests = createManifestReader()

/** An admitted object is written to a file and to answers. */
const keep = (value: unknown) => JSON.stringify(admit(value).object)

/** The part of a request that the reader looks at. */
function requestOf(type: string, body: Buffer) {
  const request = Object.assign(Readable.from([body]), { headers: { 'content-type': type } })
  return request as unknown as Parameters<typeof reader.object>[0]
}

/** The body of a request to the resource API. */
export function bodyProbe(type: string, content: Buffer | string): Probe {
  const body = Buffer.from(content as string)
  return {
    run: async () => keep(await reader.object(requestOf(type, body))),
    text: () => `${type}\n${body.toString('latin1')}`,
  }
}

/** A file of manifests. */
export function fileProbe(text: string): Probe {
  const run = async () => {
    for (const { value } of (await readManifests('fuzz.yaml', text)).documents) keep(value)
  }
  return { run, text: () => text }
}

/** A patch of an object that the resource API could have: a larger one is refused before. */
export function patchProbe(kind: 'merge' | 'json', target: string, patch: string): Probe {
  const before = withinLimits(target, OBJECT_LIMITS) as Readonly<Record<string, unknown>>
  const apply = kind === 'merge' ? mergePatch : jsonPatch
  const body = Buffer.from(patch)
  const run = async () => {
    const { patch: change } = await reader.patch(requestOf(`application/${kind}-patch+json`, body))
    return keep(apply(before, change))
  }
  return { run, text: () => `${target}\n${patch}` }
}

const OBJECT = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { a: 'b', 'x/y': '' } } }

export function selectorProbe(kind: 'labelSelector' | 'fieldSelector', selector: string): Probe {
  return { run: () => parseSelectors({ [kind]: selector })(OBJECT), text: () => selector }
}

/** The magic number of Kubernetes' protobuf, and an envelope around fields. */
export function protobufOf(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), ...fields])
}

/** A protobuf field of bytes, or of further fields. */
export function field(number: number, ...values: readonly (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(values.map((value) => Buffer.from(value as string)))
  return Buffer.concat([uvarint(number * 8 + 2), uvarint(bytes.length), bytes])
}
