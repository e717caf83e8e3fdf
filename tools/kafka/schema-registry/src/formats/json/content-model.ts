import { difference } from '../schema-format.ts'
import type { Comparer, Differences } from './comparer.ts'
import type { Part } from './json-model.ts'

/** What may stand in an object or array besides what is listed. */
export interface Content {
  /** False: nothing but what is listed. */
  readonly isPermitted: boolean
  /** Of `additionalProperties` or `additionalItems`, where they are a schema. */
  readonly additional: Part | undefined
  readonly unevaluated: Part | undefined
}

export function contentOf(part: (schema: unknown) => Part, additional: unknown, unevaluated: unknown): Content {
  const isSchema = typeof additional === 'object' && additional !== null
  return {
    isPermitted: additional !== false,
    additional: isSchema ? part(additional) : undefined,
    unevaluated: unevaluated === undefined ? undefined : part(unevaluated),
  }
}

/** Whether what is not listed may be anything. */
export function isOpen({ isPermitted, additional, unevaluated }: Content): boolean {
  const kind = unevaluated?.model().kind
  return isPermitted && additional === undefined && (kind === undefined || kind === 'any')
}

/** The schema of what is not listed; undefined if it may be anything, or nothing. */
export function restOf({ isPermitted, additional, unevaluated }: Content): Part | undefined {
  if (additional !== undefined || !isPermitted) return additional
  const kind = unevaluated?.model().kind
  return kind === 'never' || kind === 'any' ? undefined : unevaluated
}

interface Names {
  readonly path: string
  readonly additional: 'additionalProperties' | 'additionalItems'
  readonly unevaluated: 'unevaluatedProperties' | 'unevaluatedItems'
}

/** The two schemas of what is not listed. */
export function compareContent(diff: Comparer, before: Content, after: Content, names: Names): Differences {
  return [...compareAdditional(diff, before, after, names), ...compareUnevaluated(diff, before, after, names)]
}

function compareAdditional(diff: Comparer, before: Content, after: Content, { path, additional }: Names): Differences {
  const where = `${path}/${additional}`
  const what = additional === 'additionalItems' ? 'ADDITIONAL_ITEMS' : 'ADDITIONAL_PROPERTIES'
  if (before.isPermitted !== after.isPermitted) return after.isPermitted ? [] : [difference(`${what}_REMOVED`, where)]
  if (after.additional === undefined) return []
  if (before.additional === undefined) return [difference(`${what}_NARROWED`, where)]
  return diff.compare(before.additional, after.additional, where)
}

function compareUnevaluated(
  diff: Comparer,
  before: Content,
  after: Content,
  { path, unevaluated }: Names,
): Differences {
  const where = `${path}/${unevaluated}`
  const what = unevaluated === 'unevaluatedItems' ? 'UNEVALUATED_ITEMS' : 'UNEVALUATED_PROPERTIES'
  const [known, allowed] = [before.unevaluated, after.unevaluated]
  if (allowed === undefined) return []
  const isNothing = allowed.model().kind === 'never'
  const was = known?.model().kind
  if (isNothing) return was === 'never' ? [] : [difference(`${what}_REMOVED`, where)]
  if (known === undefined || (was === 'any' && allowed.model().kind !== 'any')) {
    return [difference(`${what}_NARROWED`, where)]
  }
  return was === 'never' ? [] : diff.compare(known, allowed, where)
}
