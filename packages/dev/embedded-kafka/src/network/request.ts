import { apis } from '../apis/apis.ts'
import { type Api, NO_RESPONSE, type RequestContext, versionOf } from '../apis/definition/api.ts'
import { handleGuarded } from '../apis/guards/guards.ts'
import { MalformedFrameError } from '../errors.ts'
import { API_VERSIONS_KEY } from '../protocol/api-key.ts'
import type { Version } from '../wire/codec.ts'
import { headerString, int16, int32 } from '../wire/primitives.ts'
import { Reader } from '../wire/reader.ts'
import { struct } from '../wire/struct.ts'
import { Writer } from '../wire/writer.ts'
import { faultyAnswer } from './faulty-answer.ts'

const requestHeader = struct({ correlationId: int32, clientId: headerString })
const responseHeader = struct({ correlationId: int32 })
const INFLEXIBLE: Version = { number: 0, flexible: false }

/** The part of the context that is the same for all requests of a connection. */
export interface ConnectionContext extends Omit<RequestContext, 'version' | 'clientId' | 'faults'> {
  /** Gets the client's id from its requests. */
  readonly client?: { clientId: string }
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
    if (key !== API_VERSIONS_KEY) throw new MalformedFrameError(`${api.name} version ${version} is not supported`)
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
  const header = api.key === API_VERSIONS_KEY ? INFLEXIBLE : body
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
async function answerRaw(message: Buffer, { session }: ConnectionContext): Promise<readonly Buffer[] | undefined> {
  const { authBytes } = await session.authenticate(message)
  return session.failure ? undefined : [lengthOf(authBytes.length), authBytes]
}

/**
 * Answers the request in a frame: returns the frame of the answer in parts, or nothing when the protocol sends none.
 * @throws {MalformedFrameError} when a request cannot be read, or has an unknown API or version
 * @throws {AuthenticationError} when the client may not send it yet, or not any more
 */
export async function answer(frame: Buffer, connection: ConnectionContext): Promise<readonly Buffer[] | undefined> {
  if (connection.session.takesRawMessages) return answerRaw(frame, connection)
  const call = readCall(frame, connection)
  const { version, clientId } = call
  if (connection.client) connection.client.clientId = clientId
  const faults = connection.broker.faults.of(call.api.name, clientId, connection.signal)
  const context = { ...connection, version, clientId, faults }
  const response = await (faults ? faultyAnswer(faults, call, context) : handleGuarded(call.api, call.request, context))
  return response === NO_RESPONSE ? undefined : writeAnswer(call, response)
}
