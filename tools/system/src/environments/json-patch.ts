import { UnreadError } from './unread-error.ts'

interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/**
 * A value after a JSON patch (RFC 6902) of `add`, `replace`, `remove` and `test`.
 *
 * @throws {UnreadError} for `copy` and `move`
 * @throws {RangeError} when a path does not exist, or for what is not an operation
 */
export function patched<T>(value: T, operations: readonly Operation[]): T {
  const root = { value: structuredClone(value) }
  for (const { op, path, value: change } of operations) {
    const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = keys.pop() ?? ''
    const parent = keys.reduce<unknown>((at, key, index) => (index === 0 ? at : memberOf(at, key, path)), root.value)
    apply(parent, { op, key: last, path, value: structuredClone(change) })
  }
  return root.value
}

function apply(parent: unknown, { op, key, path, value }: Operation & { readonly key: string }): void {
  if (op === 'test') return
  if (op === 'copy' || op === 'move') throw new UnreadError(`the operation ${op} is not read`)
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw new RangeError(`there is no operation ${op}`)
  if (typeof parent !== 'object' || parent === null) throw new RangeError(`there is no ${path}`)
  if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : Number(key)
    const most = op === 'add' ? parent.length : parent.length - 1
    if (!(index >= 0 && index <= most)) throw new RangeError(`there is no ${path}`)
    parent.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]))
    return
  }
  if (op !== 'add' && !Object.hasOwn(parent, key)) throw new RangeError(`there is no ${path}`)
  if (op === 'remove') delete (parent as Record<string, unknown>)[key]
  else (parent as Record<string, unknown>)[key] = value
}

function memberOf(value: unknown, key: string, path: string): unknown {
  const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  if (member === undefined) throw new RangeError(`there is no ${path}`)
  return member
}
