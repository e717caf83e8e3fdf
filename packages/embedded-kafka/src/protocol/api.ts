import type { Codec, Version } from '../wire/codec.ts'

/** One request type of the protocol: its key, the versions spoken here and the codecs of both directions. */
export interface Api<Request, Response> {
  readonly key: number
  readonly name: string
  readonly minVersion: number
  readonly maxVersion: number
  /** From this version on lengths are compact and structs carry tagged fields. */
  readonly flexibleSince: number
  readonly request: Codec<Request>
  readonly response: Codec<Response>
}

export function versionOf(api: Api<unknown, unknown>, number: number): Version {
  return { number, flexible: number >= api.flexibleSince }
}
