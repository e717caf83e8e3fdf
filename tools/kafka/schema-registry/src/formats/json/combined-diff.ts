import { difference } from '../schema-format.ts'
import type { Comparer, Differences } from './comparer.ts'
import type { JsonModel, Part } from './json-model.ts'

type Combined = JsonModel & { kind: 'combined' }

/** `allOf`, `anyOf` and `oneOf`: as many parts as there are on the smaller side must each find a partner that takes what they did. */
export function compareCombined(diff: Comparer, original: Combined, update: Combined, path: string): Differences {
  if (!isExtended(original, update)) return [difference('COMBINED_TYPE_CHANGED', path)]
  const before = distinct(original.parts)
  const after = distinct(update.parts)
  const differences: string[] = []
  if (before.length < after.length && update.criterion === 'allOf') {
    differences.push(difference('PRODUCT_TYPE_EXTENDED', path))
  }
  if (before.length > after.length && original.criterion !== 'allOf') {
    differences.push(difference('SUM_TYPE_NARROWED', path))
  }
  const partners = before.map((part, index) =>
    after.flatMap((other, at) =>
      diff.isCompatible(part, other, `${path}/${original.criterion}/${index}`) ? [at] : [],
    ),
  )
  if (matched(partners) < Math.min(before.length, after.length)) {
    differences.push(difference('COMBINED_TYPE_SUBSCHEMAS_CHANGED', path))
  }
  return differences
}

function isExtended(original: Combined, update: Combined): boolean {
  const wasOne = original.parts.length === 1
  const isOne = update.parts.length === 1
  return (
    original.criterion === update.criterion ||
    update.criterion === 'anyOf' ||
    (wasOne && (isOne || update.criterion === 'oneOf')) ||
    (isOne && original.criterion === 'allOf')
  )
}

function distinct(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part.schema), part])).values()]
}

/** The size of a maximum matching of a bipartite graph, by augmenting paths; `partners` of each left node. */
function matched(partners: readonly (readonly number[])[]): number {
  const partnerOf = new Map<number, number>()
  const augment = (left: number, seen: Set<number>): boolean => {
    for (const right of partners[left] ?? []) {
      if (seen.has(right)) continue
      seen.add(right)
      const holder = partnerOf.get(right)
      if (holder !== undefined && !augment(holder, seen)) continue
      partnerOf.set(right, left)
      return true
    }
    return false
  }
  return partners.filter((_, left) => augment(left, new Set())).length
}
