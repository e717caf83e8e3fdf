/** The apps by what they do. The sources of the lab take the names from here; tests may spell them. */
export const APPS = {
  claims: 'claim-api',
  films: 'movie-api',
  beers: 'beer-generator',
  prices: 'price-generator',
  stream: 'beer-stream',
  events: 'event-platform',
  aloha: 'aloha-sink',
  bonjour: 'bonjour-sink',
} as const

export type App = (typeof APPS)[keyof typeof APPS]

export const REPOSITORY = new URL('../../../../', import.meta.url)

/** Where the embedded broker starts, from the root of the repository. */
export const KAFKA_MAIN = 'tools/kafka/embedded-kafka/src/main.ts'

/** Where an app starts, from the root of the repository. */
export function mainOf(app: App): string {
  return `apps/${app}/src/main.ts`
}

/** The file at a path from the root of the repository. */
export function fileAt(path: string): URL {
  return new URL(path, REPOSITORY)
}
