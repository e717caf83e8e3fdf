export type { EventHandlers } from './event-handlers.ts'
export { type OpenedSink, runSink, type SinkContext, type SinkIdentity, type SinkOptions } from './run-sink.ts'
export { type ValidEvent, validData } from './valid-data.ts'
