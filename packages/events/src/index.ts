// Events and their messages
export { type EventMessage, toBinaryMode } from './binary-mode.ts'
// Filtering
export { createFilter } from './create-filter.ts'
// Sending
export {
  DEFAULT_DELIVERY_POLICY,
  type DeliveryPolicy,
  type DeliverySpec,
  parseDeliverySpec,
  REQUEST_DELIVERY_POLICY,
} from './delivery-policy.ts'
export { CloudEventsError, DeliverySpecError, EventError, type EventErrorCode, FilterError } from './errors.ts'
export { attributeOf } from './event-attribute.ts'
export type { ParseOptions } from './event-draft.ts'
export type { EventHeaders } from './event-headers.ts'
// Receiving
export type {
  EventFilter,
  FilterDialect,
  NeededAttribute,
  SubscriptionFilter,
  TriggerFilterSpec,
} from './filter-spec.ts'
export { fromKafkaMessage, type KafkaEventMessage, toKafkaMessage } from './kafka-binding.ts'
export { parseEvent } from './parse-event.ts'
export { type ReadEventOptions, readEvent } from './read-event.ts'
export { type EventHandler, type ReceiveOptions, receiveEvents } from './receive-events.ts'
export { type AttemptLimits, type RetryOptions, retryDelivery } from './retry-delivery.ts'
export { type SendOptions, sendEvent } from './send-event.ts'
export type { Delivered, DeliveryOutcome, NotDelivered, SendOutcome } from './send-outcome.ts'
export { toStructuredMode } from './structured-mode.ts'
export { toMessage, toOriginalMessage } from './to-message.ts'
