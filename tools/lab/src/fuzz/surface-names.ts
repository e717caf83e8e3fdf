import { APPS } from '../harness/apps.ts'

/** Names of all surfaces, in the order of a run: the command line is read without loading the surfaces. */
export const SURFACES: readonly string[] = [
  ...['tokens', 'keys', 'events', 'filters', 'manifests', 'records', 'beers'],
  ...[APPS.claims, APPS.films, APPS.stream, APPS.beers, APPS.prices, APPS.aloha, APPS.bonjour],
  ...['broker', 'sinks', 'resources', 'gateway', 'kafka', 'consumer'],
]
