import { MalformedFrameError } from '../../src/errors.ts'
import type { Codec, Version } from '../../src/wire/codec.ts'
import { Reader } from '../../src/wire/reader.ts'
import { Writer } from '../../src/wire/writer.ts'
import { definedCodec, type Sample } from './defined-codec.ts'
import { type DefinedField, type DefinedMessage, has } from './message-definition.ts'

const WRITTEN = 'written '

/** Names of ours that are another word for a field that many messages have. */
export type Names = (field: string) => readonly string[]

function bytesOf(codec: Codec<unknown>, value: unknown, version: Version): Buffer {
  const writer = new Writer()
  codec.write(writer, value, version)
  return Buffer.concat(writer.finish())
}

/** Values that come once each, so that two fields that are mixed up are seen. */
function sampler(version: Version) {
  let last = 0
  const one = (type: string, fields: readonly DefinedField[]): unknown => {
    last += 1
    if (type === 'bool') return last % 2 === 1
    if (type === 'int8') return last % 100
    if (type === 'uuid') return last.toString(16).padStart(32, '0')
    if (type === 'string') return `text ${last}`
    if (type === 'bytes' || type === 'records') return Buffer.from(`bytes ${last}`)
    if (type === 'float64') return last + 0.5
    return fields.length === 0 ? last + 100 : struct(fields)
  }
  const value = (field: DefinedField): unknown =>
    field.type.startsWith('[]')
      ? [one(field.type.slice(2), field.fields), one(field.type.slice(2), field.fields)]
      : one(field.type, field.fields)
  const struct = (fields: readonly DefinedField[]): Sample =>
    Object.fromEntries(
      fields.filter((field) => has(field.versions, version.number)).map((field) => [field.name, value(field)]),
    )
  return struct
}

/** The default of a field, as Kafka has it where a version does not have the field. */
function defaultOf({ type, default: given, nullable, fields }: DefinedField): unknown {
  if (given === 'null') return null
  if (given !== undefined && type === 'bool') return String(given) === 'true'
  if (given !== undefined) return type === 'string' ? given : Number(given)
  if (type.startsWith('[]')) return []
  if (type === 'bool') return false
  if (type === 'string') return ''
  if (type === 'uuid') return '0'.repeat(32)
  if (type === 'bytes' || type === 'records') return Buffer.alloc(0)
  return fields.length > 0 && nullable.first <= nullable.last ? null : 0
}

function isSame(one: unknown, other: unknown): boolean {
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return one.equals(other)
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

export interface Findings {
  /** What is wrong. */
  readonly problems: Set<string>
  /** Fields that ours says nothing of: they have one value in answers, and are ignored in requests. */
  readonly unused: Set<string>
}

/** Puts null in the place of each value in turn; of items of lists the first. */
function* nulls(
  sample: Sample,
  fields: readonly DefinedField[],
  number: number,
  isUnused: (path: string) => boolean,
): Generator<{ readonly path: string; readonly isNullable: boolean }> {
  for (const { name, fields: inner, nullable, type } of fields) {
    const value = sample[name]
    const isText = type === 'string' || type === 'bytes' || type === 'records'
    if (value === undefined || isUnused(name) || !(isText || Array.isArray(value) || inner.length > 0)) continue
    if (isText || Array.isArray(value) || has(nullable, number)) {
      sample[name] = null
      // What may be null in one version only, ours takes in all.
      if (has(nullable, number) || nullable.first > nullable.last)
        yield { path: name, isNullable: has(nullable, number) }
      sample[name] = value
    }
    if (inner.length === 0) continue
    const first = (Array.isArray(value) ? value[0] : value) as Sample
    const isUnusedWithin = (path: string): boolean => isUnused(`${name}.${path}`)
    for (const each of nulls(first, inner, number, isUnusedWithin)) yield { ...each, path: `${name}.${each.path}` }
  }
}

function nullProblem(
  read: () => unknown,
  { isNullable, type }: { readonly isNullable: boolean; readonly type: string },
): string | undefined {
  try {
    read()
    return isNullable ? undefined : 'is never null, ours can be'
  } catch (error) {
    if (!(error instanceof MalformedFrameError)) throw error
    // An answer of ours never has to be null.
    return isNullable && type === 'request' ? 'may be null, ours may not' : undefined
  }
}

/** Holds a codec of ours against the definition of its message, in one version. */
export function checkMessage(
  { name, fields, flexible, type }: DefinedMessage,
  codec: Codec<unknown>,
  number: number,
  { names, findings }: { readonly names: Names; readonly findings: Findings },
): void {
  const version = { number, flexible: has(flexible, number) }
  const defined = definedCodec(fields)
  const sample = sampler(version)(fields)
  const note = (problem: string): void => void findings.problems.add(`${name} ${number}: ${problem}`)

  function compare(ours: unknown, given: unknown, inner: readonly DefinedField[], path: string): void {
    if (Array.isArray(given) && Array.isArray(ours)) {
      given.forEach((item, index) => {
        compare(ours[index], item, inner, path)
      })
    } else if (inner.length > 0 && given !== null && ours !== null)
      compareFields(ours as Sample, given as Sample, inner, path)
    else if (!isSame(ours, given)) note(`${path} is ${JSON.stringify(given)}, ours has ${JSON.stringify(ours)}`)
  }

  function compareFields(ours: Sample, given: Sample, inner: readonly DefinedField[], path: string): void {
    for (const field of inner) {
      const ofOurs = names(field.name).find((each) => each in ours)
      const at = `${path}${field.name}`
      if (ofOurs === undefined) {
        if (has(field.versions, number)) findings.unused.add(`${name}: ${at.replace(WRITTEN, '')}`)
      } else if (has(field.versions, number)) compare(ours[ofOurs], given[field.name], field.fields, `${at}.`)
      else if (type === 'request' && path !== WRITTEN && !isSame(ours[ofOurs], defaultOf(field)))
        note(`${at} is not there: ${JSON.stringify(defaultOf(field))}; ours has ${JSON.stringify(ours[ofOurs])}`)
    }
    const known = new Set(inner.flatMap((field) => names(field.name)))
    for (const each of Object.keys(ours)) if (!known.has(each)) note(`${path}${each} of ours is not defined`)
  }

  const reader = new Reader(bytesOf(defined, sample, version))
  const ours = codec.read(reader, version)
  if (reader.remaining > 0) note(`ours leaves ${reader.remaining} bytes`)
  compare(ours, sample, fields, '')
  const back = new Reader(bytesOf(codec, ours, version))
  const written = defined.read(back, version)
  if (back.remaining > 0) note(`ours writes ${back.remaining} bytes more`)
  compare(ours, written, fields, WRITTEN)
  for (const { path, isNullable } of nulls(sample, fields, number, (path) => findings.unused.has(`${name}: ${path}`))) {
    const problem = nullProblem(() => codec.read(new Reader(bytesOf(defined, sample, version)), version), {
      isNullable,
      type,
    })
    if (problem) note(`${path} ${problem}`)
  }
}
