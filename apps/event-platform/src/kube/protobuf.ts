import { LIMITS } from '@taproom/core/limits'
import { badRequest, StatusError } from './status.ts'

/** By number; only length-delimited fields, which are all that is read. */
type Fields = ReadonlyMap<number, readonly Buffer[]>

const MAGIC = Buffer.from('k8s\0')
const VARINT = 0
const LENGTH_DELIMITED = 2
const FIXED_SIZES: Readonly<Record<number, number>> = { 1: 8, 5: 4 }
const MOST_VARINT_BYTES = 10
const MOST_LENGTH_BYTES = 5

/**
 * Reads Kubernetes' protobuf, in which kubectl sends objects of the core group. The only such kind here is Namespace, of which the metadata
 * is read (k8s.io/api/core/v1 and apimachinery's ObjectMeta; the envelope is runtime.Unknown).
 *
 * @throws {StatusError} when it is another object or has more fields than a resource may have values
 */
export function readProtobufObject(body: Buffer): object {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw badRequest('the body is not protobuf')
  const reader = new MessageReader()
  const envelope = reader.fields(body.subarray(MAGIC.length))
  const type = reader.fields(first(envelope, 1))
  const kind = first(type, 2).toString()
  // Anything else, such as DeleteOptions, would be read in part only.
  if (kind !== 'Namespace')
    throw new StatusError('UnsupportedMediaType', 'only a Namespace is read as protobuf: send JSON')
  const metadata = reader.fields(first(reader.fields(first(envelope, 2)), 1))
  const map = (entries: readonly Buffer[] = []) =>
    Object.fromEntries(
      entries.map((entry) => {
        const fields = reader.fields(entry)
        return [first(fields, 1).toString(), first(fields, 2).toString()]
      }),
    )
  return {
    apiVersion: first(type, 1).toString(),
    kind,
    metadata: {
      name: first(metadata, 1).toString(),
      labels: map(metadata.get(11)),
      annotations: map(metadata.get(12)),
    },
  }
}

function first(fields: Fields, number: number): Buffer {
  return fields.get(number)?.[0] ?? Buffer.alloc(0)
}

/** Counts the fields of all messages it reads. */
class MessageReader {
  #count = 0

  fields(message: Buffer): Fields {
    const fields = new Map<number, Buffer[]>()
    let at = 0
    const varint = (mostBytes: number) => {
      let value = 0
      for (let index = 0; index < mostBytes; index += 1) {
        const byte = message[at]
        if (byte === undefined) break
        at += 1
        value += (byte & 0x7f) * 2 ** (7 * index)
        if (byte < 0x80) return value
      }
      throw broken()
    }
    while (at < message.length) {
      this.#count += 1
      if (this.#count > LIMITS.objectValues) {
        throw badRequest(`the protobuf body has more than ${LIMITS.objectValues} fields`)
      }
      const tag = varint(MOST_LENGTH_BYTES)
      const [number, type] = [Math.floor(tag / 8), tag % 8]
      if (number === 0) throw broken()
      if (type === VARINT) {
        varint(MOST_VARINT_BYTES)
        continue
      }
      const length = type === LENGTH_DELIMITED ? varint(MOST_LENGTH_BYTES) : FIXED_SIZES[type]
      if (length === undefined || at + length > message.length) throw broken()
      if (type === LENGTH_DELIMITED) {
        const values = fields.get(number) ?? []
        values.push(message.subarray(at, at + length))
        fields.set(number, values)
      }
      at += length
    }
    return fields
  }
}

function broken(): StatusError {
  return badRequest('the protobuf body is broken')
}
