import type { OpenArea } from './area.ts'
import { openBeersArea } from './beers/beers-area.ts'
import { openClaimArea } from './claim/claim-area.ts'
import { openColdStartArea } from './cold-start/cold-start-area.ts'
import { openConsoleArea } from './console/console-area.ts'
import { openEventsArea } from './events/events-area.ts'
import { openTriggersArea } from './events/triggers-area.ts'
import { openFilmsArea } from './films/films-area.ts'
import { openKafkaArea } from './kafka/kafka-area.ts'
import { openKnativeEventsArea } from './knative/events-area.ts'
import { openPoliciesArea } from './policies/policies-area.ts'
import { openQuarkusClaimArea } from './quarkus/claim-area.ts'
import { openQuarkusMemoryArea } from './quarkus/memory-area.ts'
import { openQuarkusMovieArea } from './quarkus/movie-area.ts'
import { openQuarkusMovieLongArea } from './quarkus/movie-long-area.ts'
import { openQuarkusStartArea } from './quarkus/start-area.ts'
import { openQuarkusStreamArea } from './quarkus/stream-area.ts'
import { openTracedClaimsArea } from './traces/traced-claims-area.ts'
import { openTracedEventsArea } from './traces/traced-events-area.ts'

export const AREAS: Readonly<Record<string, OpenArea>> = {
  beers: openBeersArea,
  claim: openClaimArea,
  'cold-start': openColdStartArea,
  console: openConsoleArea,
  events: openEventsArea,
  films: openFilmsArea,
  kafka: openKafkaArea,
  'knative-events': openKnativeEventsArea,
  policies: openPoliciesArea,
  'quarkus-claim': openQuarkusClaimArea,
  'quarkus-memory': openQuarkusMemoryArea,
  'quarkus-movie': openQuarkusMovieArea,
  'quarkus-movie-long': openQuarkusMovieLongArea,
  'quarkus-start': openQuarkusStartArea,
  'quarkus-stream': openQuarkusStreamArea,
  triggers: openTriggersArea,
  'traced-claims': openTracedClaimsArea,
  'traced-events': openTracedEventsArea,
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
