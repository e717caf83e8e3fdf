export type { SinkIdentity } from './app.ts'
export { runSink } from './run-sink.ts'
