import { StatusError } from './status.ts'

/** Fields of a protobuf message by number; only length-delimited ones, which is all that is read here. */
type Fields = ReadonlyMap<number, readonly Buffer[]>

const MAGIC = Buffer.from('k8s\0')
const VARINT = 0
const LENGTH_DELIMITED = 2
const FIXED_SIZES: Readonly<Record<number, number>> = { 1: 8, 5: 4 }

/**
 * Reads an object in Kubernetes' protobuf form. kubectl sends objects of the core group so, whose only kind here is Namespace: of
 * that the metadata is read (k8s.io/api/core/v1 and apimachinery's ObjectMeta; the envelope is runtime.Unknown).
 */
export function readProtobufObject(body: Buffer): object {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw new StatusError('BadRequest', 'the body is not protobuf')
  const envelope = readFields(body.subarray(MAGIC.length))
  const type = readFields(first(envelope, 1))
  const metadata = readFields(first(readFields(first(envelope, 2)), 1))
  const labels = readMap(metadata.get(11))
  const annotations = readMap(metadata.get(12))
  return {
    apiVersion: first(type, 1).toString(),
    kind: first(type, 2).toString(),
    metadata: { name: first(metadata, 1).toString(), labels, annotations },
  }
}

function first(fields: Fields, number: number): Buffer {
  return fields.get(number)?.[0] ?? Buffer.alloc(0)
}

function readMap(entries: readonly Buffer[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.map((entry) => {
      const fields = readFields(entry)
      return [first(fields, 1).toString(), first(fields, 2).toString()]
    }),
  )
}

function readFields(message: Buffer): Fields {
  const fields = new Map<number, Buffer[]>()
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = message[at]
      if (byte === undefined) break
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new StatusError('BadRequest', 'the protobuf body is broken')
  }
  while (at < message.length) {
    const tag = varint()
    const [number, type] = [tag >>> 3, tag & 7]
    if (type === VARINT) varint()
    else {
      const length = type === LENGTH_DELIMITED ? varint() : FIXED_SIZES[type]
      if (length === undefined || at + length > message.length) {
        throw new StatusError('BadRequest', 'the protobuf body is broken')
      }
      if (type === LENGTH_DELIMITED) {
        const values = fields.get(number)
        const value = message.subarray(at, at + length)
        if (values === undefined) fields.set(number, [value])
        else values.push(value)
      }
      at += length
    }
  }
  return fields
}
