import { MalformedFrameError } from '../errors.ts'
import { type Endpoint, NO_RESPONSE, type RequestContext } from '../handlers/endpoint.ts'
import { endpoints } from '../handlers/endpoints.ts'
import { versionOf } from '../protocol/api.ts'
import { API_VERSIONS_KEY } from '../protocol/api-versions.ts'
import type { Version } from '../wire/codec.ts'
import { headerString, int16, int32 } from '../wire/primitives.ts'
import { Reader } from '../wire/reader.ts'
import { struct } from '../wire/struct.ts'
import { Writer } from '../wire/writer.ts'

const requestHeader = struct({ correlationId: int32, clientId: headerString })
const responseHeader = struct({ correlationId: int32 })
const INFLEXIBLE: Version = { number: 0, flexible: false }

/** What a connection adds to each request's context. */
export type ConnectionContext = Omit<RequestContext, 'version' | 'clientId'>

interface Call {
  readonly endpoint: Endpoint
  /** The version the client used, whether spoken here or not. */
  readonly version: number
  readonly correlationId: number
  readonly clientId: string
  readonly request: unknown
}

function readCall(frame: Buffer): Call {
  const reader = new Reader(frame)
  const key = int16.read(reader, INFLEXIBLE)
  const version = int16.read(reader, INFLEXIBLE)
  const endpoint = endpoints.get(key)
  if (!endpoint) throw new MalformedFrameError(`API ${key} is not supported`)
  const { api } = endpoint
  if (version < api.minVersion || version > api.maxVersion) {
    // Only the answer of ApiVersions can be read in a version that was not asked for.
    if (key !== API_VERSIONS_KEY) throw new MalformedFrameError(`${api.name} version ${version} is not supported`)
    const { correlationId } = requestHeader.read(reader, INFLEXIBLE)
    return { endpoint, version: Math.max(version, api.maxVersion + 1), correlationId, clientId: '', request: {} }
  }
  const codecVersion = versionOf(api, version)
  const { correlationId, clientId } = requestHeader.read(reader, codecVersion)
  return { endpoint, version, correlationId, clientId: clientId ?? '', request: api.request.read(reader, codecVersion) }
}

function writeAnswer({ endpoint: { api }, version, correlationId }: Call, response: unknown): readonly Buffer[] {
  const body = versionOf(api, version > api.maxVersion ? 0 : version)
  // The header of ApiVersions stays as it was, so that clients can read it before they know anything.
  const header = api.key === API_VERSIONS_KEY ? INFLEXIBLE : body
  const writer = new Writer()
  responseHeader.write(writer, { correlationId }, header)
  api.response.write(writer, response, body)
  const length = Buffer.allocUnsafe(4)
  length.writeInt32BE(writer.length)
  return [length, ...writer.finish()]
}

/**
 * Reads one request frame, has it answered and returns the response frame in parts, or nothing where none is due.
 * Throws MalformedFrameError for what cannot be read or answered.
 */
export async function answer(frame: Buffer, connection: ConnectionContext): Promise<readonly Buffer[] | undefined> {
  const call = readCall(frame)
  const { version, clientId } = call
  const response = await call.endpoint.handle(call.request, { ...connection, version, clientId })
  return response === NO_RESPONSE ? undefined : writeAnswer(call, response)
}
