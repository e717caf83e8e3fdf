export { runSink } from './run-sink.ts'
export type { SinkIdentity } from './sink-identity.ts'
