import { apis } from '../apis/apis.ts'
import { type Api, NO_RESPONSE, type RequestContext, versionOf } from '../apis/definition/api.ts'
import { handleGuarded } from '../apis/guards/guards.ts'
import { type Client, REGISTRY_LISTENER } from '../broker/clients.ts'
import { MalformedFrameError } from '../errors.ts'
import { API_VERSIONS } from '../protocol/api-versions.ts'
import { nameOf } from '../security/principal.ts'
import type { Version } from '../wire/codec.ts'
import { headerString, int16, int32 } from '../wire/primitives.ts'
import { Reader } from '../wire/reader.ts'
import { struct } from '../wire/struct.ts'
import { Writer } from '../wire/writer.ts'
import { faultyAnswer, targetOf } from './faulty-answer.ts'

const requestHeader = struct({ correlationId: int32, clientId: headerString })
const responseHeader = struct({ correlationId: int32 })
const INFLEXIBLE: Version = { number: 0, flexible: false }

/** The part of the context that is the same for all requests of a connection. */
export interface ConnectionContext extends Omit<RequestContext, 'version' | 'clientId' | 'faults'> {
  /** Gets the client's id from its requests. */
  readonly client?: Pick<Client, 'clientId' | 'drop'>
}

interface Call {
  readonly api: Api
  /** As sent by the client, even when it is not supported. */
  readonly version: number
  readonly correlationId: number
  readonly clientId: string
  readonly request: unknown
}

function readCall(frame: Buffer, { session }: ConnectionContext): Call {
  const reader = new Reader(frame)
  const key = int16.read(reader, INFLEXIBLE)
  const version = int16.read(reader, INFLEXIBLE)
  const api = apis.get(key)
  session.admit(key)
  if (!api) throw new MalformedFrameError(`API ${key} is not supported`)
  if (version < api.minVersion || version > api.maxVersion) {
    // Only the answer of ApiVersions can be read by a client that asked in a version unknown here.
    if (key !== API_VERSIONS.ApiVersions.key)
      throw new MalformedFrameError(`${api.name} version ${version} is not supported`)
    const { correlationId } = requestHeader.read(reader, INFLEXIBLE)
    return { api, version: Math.max(version, api.maxVersion + 1), correlationId, clientId: '', request: {} }
  }
  const codecVersion = versionOf(api, version)
  const { correlationId, clientId } = requestHeader.read(reader, codecVersion)
  return { api, version, correlationId, clientId: clientId ?? '', request: api.request.read(reader, codecVersion) }
}

function writeAnswer({ api, version, correlationId }: Call, response: unknown): readonly Buffer[] {
  const body = versionOf(api, version > api.maxVersion ? 0 : version)
  // The header of this answer is the same in all versions, so that clients can read it before they know any.
  const header = api.key === API_VERSIONS.ApiVersions.key ? INFLEXIBLE : body
  const writer = new Writer()
  responseHeader.write(writer, { correlationId }, header)
  api.response.write(writer, response, body)
  return [lengthOf(writer.length), ...writer.finish()]
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.allocUnsafe(4)
  length.writeInt32BE(bytes)
  return length
}

/** The exchange after a handshake of version 0, which can only be refused by ending the connection. */
async function answerRaw(message: Buffer, { session }: ConnectionContext): Promise<Answered> {
  const { authBytes } = await session.authenticate(message)
  return { parts: session.failure ? undefined : [lengthOf(authBytes.length), authBytes], throttleMs: 0 }
}

export interface Answered {
  /** The frame of the answer; undefined when the protocol sends none. */
  readonly parts: readonly Buffer[] | undefined
  /** How long the client has to be silent after that, in milliseconds. */
  readonly throttleMs: number
}

/** The size of an answer's frame without its length. */
function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, -4)
}

/**
 * Answers the request in a frame.
 * @throws {MalformedFrameError} when a request cannot be read, or has an unknown API or version
 * @throws {AuthenticationError} when the client may not send it yet, or not any more
 */
export async function answer(frame: Buffer, connection: ConnectionContext): Promise<Answered> {
  if (connection.session.takesRawMessages) return answerRaw(frame, connection)
  const startedAt = performance.now()
  const call = readCall(frame, connection)
  const { version, clientId } = call
  if (connection.client) connection.client.clientId = clientId
  const asked = { ...connection, version, clientId }
  const rules = connection.broker.faults
  const isSpared = rules.isEmpty || connection.listener === REGISTRY_LISTENER
  const faults = isSpared ? undefined : rules.of(targetOf(call, asked), connection.signal)
  const context = { ...asked, faults }
  const drop = () => connection.client?.drop()
  const pending = faults
    ? faultyAnswer(faults, call, { context, drop })
    : handleGuarded(call.api, call.request, context)
  const waitsAt = performance.now()
  const response = await pending
  const goesOnAt = performance.now()
  const parts = response === NO_RESPONSE ? undefined : writeAnswer(call, response)
  const throttleMs = connection.broker.throttle.note({
    user: nameOf(connection.session.principal),
    clientId,
    producedBytes: call.api.key === API_VERSIONS.Produce.key ? frame.length : 0,
    fetchedBytes: call.api.key === API_VERSIONS.Fetch.key && parts ? sizeOf(parts) : 0,
    // Of the work up to its first wait, and after its last one.
    busyMs: waitsAt - startedAt + (performance.now() - goesOnAt),
  })
  if (throttleMs === 0 || !parts) return { parts, throttleMs }
  return { parts: writeAnswer(call, { ...(response as object), throttleTimeMs: throttleMs }), throttleMs }
}
