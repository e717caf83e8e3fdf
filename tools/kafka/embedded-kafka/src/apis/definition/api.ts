import type { Broker } from '../../broker/broker.ts'
import type { RequestFaults } from '../../faults/request-faults.ts'
import { API_VERSIONS, type ApiName, type ApiVersions } from '../../protocol/api-versions.ts'
import type { ClientSession } from '../../security/session.ts'
import type { Codec, Version } from '../../wire/codec.ts'

/** What a handler gets besides the request. */
export interface RequestContext {
  readonly broker: Broker
  readonly version: number
  readonly clientId: string
  readonly clientHost: string
  /** Who the client is. */
  readonly session: ClientSession
  /** The name of the listener by which the client came. */
  readonly listener: string
  /** The address for this client: what its listener advertises, else what it reached. */
  readonly address: { readonly host: string; readonly port: number }
  /** Aborted when the client is gone: nothing must wait for it any longer. */
  readonly signal: AbortSignal
  /** What is to go wrong with the request; undefined: nothing. */
  readonly faults?: RequestFaults | undefined
}

/** Returned where the protocol sends no answer (Produce with acks=0). */
export const NO_RESPONSE = Symbol('no response')

export type Answer<Response> = Response | typeof NO_RESPONSE

/** The codecs of an API's two messages by version, and the handler of the request. */
interface Behaviour<Request, Response> {
  readonly request: Codec<Request>
  readonly response: Codec<Response>
  handle(request: Request, context: RequestContext): NoInfer<Answer<Response> | Promise<Answer<Response>>>
}

export interface Definition<Request, Response> extends ApiVersions, Behaviour<Request, Response> {
  readonly name: ApiName
}

/** One API of the protocol. */
export type Api = Definition<unknown, unknown>

/** Checks a handler against the types of its messages. */
export function defineApi<Request, Response>(
  name: ApiName,
  behaviour: Behaviour<Request, Response>,
): Definition<Request, Response> {
  return { name, ...API_VERSIONS[name], ...behaviour }
}

export function versionOf(api: Api, number: number): Version {
  return { number, flexible: number >= api.flexibleSince }
}
