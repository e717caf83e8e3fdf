export type { Eventing, EventingObject } from './eventing.ts'
export type { LogLine, ServiceView } from './services.ts'
export type { TraceSummary } from './traces.ts'
export type { Verdict, Verdicts } from './verdicts.ts'
