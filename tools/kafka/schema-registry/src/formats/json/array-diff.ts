import { difference } from '../schema-format.ts'
import type { Comparer, Differences } from './comparer.ts'
import { compareContent, contentOf, isOpen, restOf } from './content-model.ts'
import type { Container, Part } from './json-model.ts'
import { compareLimits } from './limit-diff.ts'

/** The parts of an array: those that stand at a place of their own, and those behind them. */
function itemsOf({ json, part, hasPrefixItems }: Container) {
  const { items, prefixItems, additionalItems } = json
  const first = hasPrefixItems ? prefixItems : items
  const isList = Array.isArray(first)
  return {
    all: isList || items === undefined ? undefined : part(items),
    first: isList ? first.map((each: unknown) => part(each)) : [],
    rest: contentOf(part, hasPrefixItems ? (isList ? items : undefined) : additionalItems, json['unevaluatedItems']),
  }
}

export function compareArrays(diff: Comparer, original: Container, update: Container, path: string): Differences {
  const before = itemsOf(original)
  const after = itemsOf(update)
  const places = Math.max(before.first.length, after.first.length)
  const limits = ['maxItems', 'minItems', 'maxContains', 'minContains']
  return [
    ...diff.compare(before.all, after.all, `${path}/items`),
    ...Array.from({ length: places }, (_, index) =>
      comparePlace(diff, before, after, { index, path: `${path}/items/${index}` }),
    ).flat(),
    ...compareContent(diff, before.rest, after.rest, {
      path,
      additional: 'additionalItems',
      unevaluated: 'unevaluatedItems',
    }),
    ...compareLimits(original.json, update.json, limits, path),
    ...(update.json['uniqueItems'] === true && original.json['uniqueItems'] !== true
      ? [difference('UNIQUE_ITEMS_ADDED', `${path}/uniqueItems`)]
      : []),
  ]
}

type Items = ReturnType<typeof itemsOf>

function comparePlace(
  diff: Comparer,
  before: Items,
  after: Items,
  { index, path }: { readonly index: number; readonly path: string },
): Differences {
  const known: Part | undefined = before.first[index]
  const allowed: Part | undefined = after.first[index]
  if (known !== undefined && allowed !== undefined) return diff.compare(known, allowed, path)
  if (known !== undefined) {
    if (isOpen(after.rest)) return []
    const rest = restOf(after.rest)
    if (rest !== undefined) {
      const isCovered = diff.isCompatible(known, rest, path)
      return isCovered ? [] : [difference('ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL', path)]
    }
    return known.model().kind === 'never' ? [] : [difference('ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL', path)]
  }
  if (allowed === undefined) return []
  if (isOpen(before.rest)) {
    return allowed.model().kind === 'any' ? [] : [difference('ITEM_ADDED_TO_OPEN_CONTENT_MODEL', path)]
  }
  const rest = restOf(before.rest)
  const isCovered = rest === undefined || diff.isCompatible(rest, allowed, path)
  return isCovered ? [] : [difference('ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL', path)]
}
