export { comparePrices, compareSeen, type Findings, hasSeenLast } from './findings.ts'
export { openStreamClient, type SeenBeer, type StreamClient } from './stream-client.ts'
export type { LogRecord } from './topic-log.ts'
