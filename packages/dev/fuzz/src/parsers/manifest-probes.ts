import { Readable } from 'node:stream'
import {
  admit,
  createManifestReader,
  createObjectReader,
  jsonPatch,
  mergePatch,
  parseSelectors,
} from '@taproom/event-platform/readers'
import { parseJson } from '@taproom/limits'
import type { Probe } from './parser-target.ts'

export const JSON_TYPE = 'application/json'
export const YAML_TYPE = 'application/yaml'
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf'

/** The part of a request that the reader looks at. */
function requestOf(type: string, body: Buffer) {
  const request = Object.assign(Readable.from([body]), { headers: { 'content-type': type } })
  return request as unknown as Parameters<ReturnType<typeof createObjectReader>['object']>[0]
}

/** Probes of each reader of the platform. */
export type Probes = ReturnType<typeof createProbes>

export function createProbes() {
  const reader = createObjectReader()
  const readManifests = createManifestReader()
  /** An admitted object is written to a file and to answers. */
  const keep = (value: unknown) => JSON.stringify(admit(value).object)
  return {
    body: (type: string, body: Buffer): Probe => ({
      run: async () => keep(await reader.object(requestOf(type, body))),
      text: () => `${type}\n${body.toString('latin1')}`,
    }),
    manifest: (text: string): Probe => ({
      run: async () => {
        for (const { value } of (await readManifests('fuzz.yaml', text)).documents) keep(value)
      },
      text: () => text,
    }),
    mergePatch: (target: string, patch: string): Probe => {
      const [before, change] = [within(target), within(patch)]
      return { run: () => keep(mergePatch(before, change)), text: () => `${target}\n${patch}` }
    },
    jsonPatch: (target: string, patch: string): Probe => {
      const [before, change] = [within(target), within(patch)]
      return {
        run: () => keep(jsonPatch(before as Readonly<Record<string, unknown>>, change)),
        text: () => `${target}\n${patch}`,
      }
    },
    selector: (selector: string, isLabel: boolean): Probe => ({
      run: () => parseSelectors(isLabel ? { labelSelector: selector } : { fieldSelector: selector })(OBJECT),
      text: () => selector,
    }),
  }
}

const OBJECT = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { a: 'b', 'x/y': '' } } }

/** Patches come through the JSON reader, with its limits. */
function within(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return {}
  }
}

/** A protobuf field of bytes. */
export function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left & 0x7f) | 0x80)
  return Buffer.from([...bytes, left])
}
