import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import type { KubeObject } from './object.ts'

export type ConditionState =
  | { readonly status: 'True'; readonly reason?: string; readonly message?: string }
  | { readonly status: 'False' | 'Unknown'; readonly reason: string; readonly message: string }

export const TRUE: ConditionState = { status: 'True' }

/** Ready is False when any other condition is, else Unknown when any is, else True (Knative's living condition set). */
export function readyState(conditions: Readonly<Record<string, ConditionState>>): ConditionState {
  const states = Object.values(conditions)
  const worst = states.find(({ status }) => status === 'False') ?? states.find(({ status }) => status === 'Unknown')
  return worst ?? TRUE
}

/**
 * `observedGeneration` and `conditions` of a status: sorted by type, with Ready; an unchanged condition keeps the time of its last
 * transition.
 */
export function withReady(object: KubeObject, conditions: Readonly<Record<string, ConditionState>>, now: Date) {
  const all = { ...conditions, Ready: readyState(conditions) }
  const previous = new Map(readConditions(object).map((condition) => [condition['type'], condition]))
  const sorted = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, state]) => {
      const before = previous.get(type)
      const since =
        before?.['status'] === state.status ? before['lastTransitionTime'] : `${now.toISOString().slice(0, 19)}Z`
      return { lastTransitionTime: since, ...state, type }
    })
  return { conditions: sorted, observedGeneration: object.metadata.generation }
}

export function readConditions(object: KubeObject): readonly JsonObject[] {
  const conditions = object.status?.['conditions']
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : []
}

export function findCondition(object: KubeObject, type: string): JsonObject | undefined {
  return readConditions(object).find((condition) => condition['type'] === type)
}

export function isReady(object: KubeObject): boolean {
  return findCondition(object, 'Ready')?.['status'] === 'True'
}
