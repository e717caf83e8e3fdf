import type { CloudEventV1 } from 'cloudevents'

/** One element of a trigger's `spec.filters`: exactly one dialect (CloudEvents Subscriptions API). */
export type SubscriptionFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly prefix: Readonly<Record<string, string>> }
  | { readonly suffix: Readonly<Record<string, string>> }
  | { readonly all: readonly SubscriptionFilter[] }
  | { readonly any: readonly SubscriptionFilter[] }
  | { readonly not: SubscriptionFilter }
  | { readonly cesql: string }

/** The name of a dialect of {@link SubscriptionFilter}. */
export type FilterDialect = DialectsOf<SubscriptionFilter>
type DialectsOf<Filter> = Filter extends unknown ? keyof Filter : never

/** The filter part of a trigger's spec. A non-empty `filters` overrides `filter`; neither matches every event. */
export interface TriggerFilterSpec {
  readonly filter?: { readonly attributes?: Readonly<Record<string, string>> }
  readonly filters?: readonly SubscriptionFilter[]
}

/** An attribute by its name in filters, and the value that it must have. */
export interface NeededAttribute {
  readonly name: string
  readonly value: string
}

/** Whether an event matches. Never throws. */
export interface EventFilter {
  (event: CloudEventV1<unknown>): boolean
  /** No event without it matches: who has many filters finds by it those that are to be asked. */
  readonly needs?: NeededAttribute
}
