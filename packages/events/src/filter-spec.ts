import type { CloudEvent } from './cloud-event.ts'

/** One element of a trigger's `spec.filters`: exactly one dialect (CloudEvents Subscriptions API). */
export type SubscriptionFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly prefix: Readonly<Record<string, string>> }
  | { readonly suffix: Readonly<Record<string, string>> }
  | { readonly all: readonly SubscriptionFilter[] }
  | { readonly any: readonly SubscriptionFilter[] }
  | { readonly not: SubscriptionFilter }
  | { readonly cesql: string }

/** The filter part of a trigger's spec. A non-empty `filters` overrides `filter`; neither matches every event. */
export interface TriggerFilterSpec {
  readonly filter?: { readonly attributes?: Readonly<Record<string, string>> }
  readonly filters?: readonly SubscriptionFilter[]
}

/** Whether an event matches. Never throws. */
export type EventFilter = (event: CloudEvent) => boolean
