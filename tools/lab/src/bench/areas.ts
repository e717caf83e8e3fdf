import type { OpenArea } from './area.ts'

/** By their names. Each loads what it measures when it is opened: a wrong command line is answered before that. */
export const AREAS: Readonly<Record<string, OpenArea>> = {
  beers: async (opened) => (await import('./beers/beers-area.ts')).openBeersArea(opened),
  claim: async (opened) => (await import('./claim/claim-area.ts')).openClaimArea(opened),
  'cold-start': async (opened) => (await import('./cold-start/cold-start-area.ts')).openColdStartArea(opened),
  console: async (opened) => (await import('./console/console-area.ts')).openConsoleArea(opened),
  edits: async (opened) => (await import('./edits/edits-area.ts')).openEditsArea(opened),
  events: async (opened) => (await import('./events/events-area.ts')).openEventsArea(opened),
  films: async (opened) => (await import('./films/films-area.ts')).openFilmsArea(opened),
  'http-client': async (opened) => (await import('./http-client/http-client-area.ts')).openHttpClientArea(opened),
  kafka: async (opened) => (await import('./kafka/kafka-area.ts')).openKafkaArea(opened),
  'knative-events': async (opened) => (await import('./knative/events-area.ts')).openKnativeEventsArea(opened),
  policies: async (opened) => (await import('./policies/policies-area.ts')).openPoliciesArea(opened),
  'quarkus-claim': async (opened) => (await import('./quarkus/claim-area.ts')).openQuarkusClaimArea(opened),
  'quarkus-memory': async (opened) => (await import('./quarkus/process-areas.ts')).openQuarkusMemoryArea(opened),
  'quarkus-movie': async (opened) => (await import('./quarkus/movie-areas.ts')).openQuarkusMovieArea(opened),
  'quarkus-movie-long': async (opened) => (await import('./quarkus/movie-areas.ts')).openQuarkusMovieLongArea(opened),
  'quarkus-start': async (opened) => (await import('./quarkus/process-areas.ts')).openQuarkusStartArea(opened),
  'quarkus-stream': async (opened) => (await import('./quarkus/stream-area.ts')).openQuarkusStreamArea(opened),
  triggers: async (opened) => (await import('./events/triggers-area.ts')).openTriggersArea(opened),
  'traced-claims': async (opened) => (await import('./traces/traced-areas.ts')).openTracedClaimsArea(opened),
  'traced-events': async (opened) => (await import('./traces/traced-areas.ts')).openTracedEventsArea(opened),
  verdicts: async (opened) => (await import('./verdicts/verdicts-area.ts')).openVerdictsArea(opened),
}

/** Areas that need what not every machine has: Docker, a browser, Java and Maven, a cluster. */
export const ONLY_NAMED: readonly string[] = [
  'console',
  'kafka',
  'knative-events',
  'quarkus-claim',
  'quarkus-memory',
  'quarkus-movie',
  'quarkus-movie-long',
  'quarkus-start',
  'quarkus-stream',
]
