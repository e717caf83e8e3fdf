import type protobuf from 'protobufjs'
import { difference } from '../schema-format.ts'

/** The `oneof` of a field. proto3 puts each `optional` field into one of its own, which is not written. */
export function memberOf(field: protobuf.Field): string | undefined {
  return field.options?.['proto3_optional'] === true ? undefined : field.partOf?.name
}

/** A field may join a new `oneof` alone, and a `oneof` may go as a whole; else values that were written together would be lost. */
export function compareOneofs(before: protobuf.Type, after: protobuf.Type, path: string): readonly string[] {
  const known = new Map(before.fieldsArray.map((field) => [field.id, memberOf(field)]))
  const tags = new Set(after.fieldsArray.map(({ id }) => id))
  return [...compareOrigins(known, after, path), ...compareRemoved(before, after, { tags, path })]
}

function compareOrigins(
  known: ReadonlyMap<number, string | undefined>,
  after: protobuf.Type,
  path: string,
): readonly string[] {
  return oneofsOf(after).flatMap(({ name, fields }) => {
    const old = fields.filter(({ id }) => known.has(id))
    const single = old.filter(({ id }) => known.get(id) === undefined)
    const origins = new Set(old.map(({ id }) => known.get(id) ?? id))
    if (origins.size <= 1) return []
    const type = single.length > 1 ? 'MULTIPLE_FIELDS_MOVED_TO_ONEOF' : 'FIELD_MOVED_TO_EXISTING_ONEOF'
    return [difference(type, `${path}/${name}`)]
  })
}

function compareRemoved(
  before: protobuf.Type,
  after: protobuf.Type,
  { tags, path }: { readonly tags: ReadonlySet<number>; readonly path: string },
): readonly string[] {
  const names = new Set(oneofsOf(after).map(({ name }) => name))
  return oneofsOf(before).flatMap(({ name, fields }) => {
    const removed = fields.filter(({ id }) => !tags.has(id))
    const isWhole = removed.length === fields.length && !names.has(name)
    return isWhole ? [] : removed.map(({ id }) => difference('ONEOF_FIELD_REMOVED', `${path}/${name}/${id}`))
  })
}

function oneofsOf(type: protobuf.Type): { readonly name: string; readonly fields: readonly protobuf.Field[] }[] {
  return type.oneofsArray
    .map(({ name, fieldsArray }) => ({ name, fields: fieldsArray.filter((field) => memberOf(field) === name) }))
    .filter(({ fields }) => fields.length > 0)
}
