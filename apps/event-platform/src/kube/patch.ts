import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, LIMITS } from '@taproom/core/limits'
import { quoted } from '../resources/field-reader.ts'
import { badRequest, StatusError } from './status.ts'

/** RFC 7386. Serves strategic merges too: no kind here has lists that merge by key. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const members = new Map(Object.entries(isJsonObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key)
    // Directives of a strategic merge do not apply to maps.
    else if (!key.startsWith('$')) members.set(key, mergePatch(members.get(key), value))
  }
  return Object.fromEntries(members)
}

/** As in Kubernetes; bounds the time of one patch. */
const MOST_OPERATIONS = 1000

/** RFC 6902: add, remove, replace and test, at most 1000 of them. Does not change the target. */
export function jsonPatch(target: JsonObject, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('a JSON patch is a list of operations')
  if (operations.length > MOST_OPERATIONS) {
    const message = `at most ${MOST_OPERATIONS} operations are allowed in a JSON patch, got ${operations.length}`
    throw new StatusError('RequestEntityTooLarge', message)
  }
  // Operations change one copy: a copy for each would cost the object's size.
  const root: Node = { document: structuredClone(target) }
  for (const operation of operations) {
    if (!isJsonObject(operation)) throw badRequest('an operation of a JSON patch is an object')
    apply(root, operation)
  }
  return root['document']
}

type Node = Record<string, unknown>

function apply(root: Node, operation: JsonObject): void {
  const { op, path, value } = operation
  const keys = keysOf(path)
  if (op !== 'add' && op !== 'replace' && op !== 'remove' && op !== 'test') {
    throw badRequest(`operation ${quoted(String(JSON.stringify(op)))} of a JSON patch is not supported`)
  }
  if (op !== 'remove' && !Object.hasOwn(operation, 'value')) {
    throw badRequest(`operation ${op} of a JSON patch needs a value`)
  }
  const missing = () => new StatusError('Invalid', `there is nothing at ${quoted(String(path))}`)
  let parent: unknown = root
  for (const key of keys.slice(0, -1)) {
    parent = memberOf(parent, key)
    if (parent === undefined) throw missing()
  }
  const last = keys.at(-1) ?? ''
  if (op === 'test') {
    const found = memberOf(parent, last)
    if (found === undefined || !isDeepStrictEqual(found, value)) {
      throw new StatusError('Invalid', `the test of ${quoted(String(path))} failed`)
    }
    return
  }
  if (op !== 'add' && memberOf(parent, last) === undefined) throw missing()
  if (Array.isArray(parent)) changeList(parent, last, { op, value, missing })
  else if (!isJsonObject(parent)) throw missing()
  else if (op === 'remove') delete (parent as Node)[last]
  else (parent as Node)[last] = value
}

/** Keys below the member `document`. */
function keysOf(path: unknown): readonly string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) {
    throw badRequest('an operation of a JSON patch needs a path, which is empty or begins with /')
  }
  const keys = path.split('/', LIMITS.objectDepth + 2).slice(1)
  if (keys.length > LIMITS.objectDepth) {
    throw badRequest(`a path of a JSON patch must not have more than ${LIMITS.objectDepth} parts`)
  }
  if (keys.includes('__proto__')) throw badRequest('no object here has a member "__proto__"')
  return ['document', ...keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))]
}

function changeList(
  list: unknown[],
  key: string,
  { op, value, missing }: { op: 'add' | 'replace' | 'remove'; value: unknown; missing: () => StatusError },
): void {
  const index = key === '-' && op === 'add' ? list.length : indexOf(key)
  if (index === undefined || index > list.length) throw missing()
  if (op === 'add') list.splice(index, 0, value)
  else if (op === 'replace') list[index] = value
  else list.splice(index, 1)
}

function memberOf(node: unknown, key: string): unknown {
  if (Array.isArray(node)) {
    const index = indexOf(key)
    return index === undefined ? undefined : node[index]
  }
  return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined
}

function indexOf(key: string): number | undefined {
  return /^(0|[1-9]\d{0,6})$/.test(key) ? Number(key) : undefined
}
