/** Names of all surfaces, in the order of a run: the command line is read without loading the surfaces. */
export const SURFACES: readonly string[] = [
  ...['tokens', 'keys', 'events', 'filters', 'manifests', 'records', 'beers'],
  ...['claim-api', 'movie-api', 'beer-stream', 'beer-generator', 'price-generator', 'aloha-sink', 'bonjour-sink'],
  ...['broker', 'sinks', 'resources', 'gateway', 'kafka', 'consumer'],
]
