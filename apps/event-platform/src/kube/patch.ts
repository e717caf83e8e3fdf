import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../resources/object.ts'
import { StatusError } from './status.ts'

/** RFC 7386. Also what a strategic merge comes to for the kinds kept here: none has lists that merge by key. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const members = new Map(Object.entries(isJsonObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key)
    // The directives of a strategic merge say nothing about maps.
    else if (!key.startsWith('$')) members.set(key, mergePatch(members.get(key), value))
  }
  return Object.fromEntries(members)
}

/** Each operation may copy all of an object, so a list of them has an end, as Kubernetes' own has. */
const MOST_OPERATIONS = 1000

/** RFC 6902: add, remove, replace and test; at most 1000 of them. */
export function jsonPatch(target: JsonObject, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw new StatusError('BadRequest', 'a JSON patch is a list of operations')
  if (operations.length > MOST_OPERATIONS) {
    const message = `at most ${MOST_OPERATIONS} operations are allowed in a JSON patch, got ${operations.length}`
    throw new StatusError('RequestEntityTooLarge', message)
  }
  return operations.reduce<unknown>((document, operation: unknown) => {
    if (!isJsonObject(operation)) throw new StatusError('BadRequest', 'an operation of a JSON patch is an object')
    return applyOperation(document, operation)
  }, target)
}

function applyOperation(document: unknown, { op, path, value }: JsonObject): unknown {
  if (typeof path !== 'string') throw new StatusError('BadRequest', 'an operation of a JSON patch needs a path')
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (op === 'test') {
    if (!isDeepStrictEqual(keys.reduce(member, document), value)) {
      throw new StatusError('Invalid', `the test of ${path} failed`)
    }
    return document
  }
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new StatusError('BadRequest', `operation ${JSON.stringify(op)} of a JSON patch is not supported`)
  }
  return changed(document, keys, { op, value, path })
}

interface Change {
  readonly op: 'add' | 'replace' | 'remove'
  readonly value: unknown
  readonly path: string
}

function changed(node: unknown, keys: readonly string[], change: Change): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return change.op === 'remove' ? null : change.value
  if (Array.isArray(node)) return changedList(node, key, rest, change)
  if (!isJsonObject(node)) throw new StatusError('Invalid', `there is nothing at ${change.path}`)
  const isMissing = node[key] === undefined
  if (isMissing && (rest.length > 0 || change.op !== 'add')) {
    throw new StatusError('Invalid', `there is nothing at ${change.path}`)
  }
  const { [key]: child, ...others } = node
  if (rest.length === 0 && change.op === 'remove') return others
  return { ...node, [key]: changed(child, rest, change) }
}

function changedList(list: readonly unknown[], key: string, rest: readonly string[], change: Change): unknown {
  const index = key === '-' ? list.length : Number(key)
  const limit = change.op === 'add' && rest.length === 0 ? list.length : list.length - 1
  if (!Number.isInteger(index) || index < 0 || index > limit) {
    throw new StatusError('Invalid', `there is nothing at ${change.path}`)
  }
  if (rest.length > 0) return list.with(index, changed(list[index], rest, change))
  if (change.op === 'replace') return list.with(index, change.value)
  return change.op === 'add' ? list.toSpliced(index, 0, change.value) : list.toSpliced(index, 1)
}

function member(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[Number(key)]
  return isJsonObject(node) ? node[key] : undefined
}
