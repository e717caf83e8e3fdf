/** A test that passes on Apache Kafka and not on embedded-kafka, and why that stays so. */
interface KnownDifference {
  readonly suite: string
  /** Full names of tests. */
  readonly tests: readonly string[]
  readonly because: string
}

export const KNOWN: readonly KnownDifference[] = []

export function reasonFor(suite: string, test: string): string | undefined {
  return KNOWN.find((known) => known.suite === suite && known.tests.includes(test))?.because
}
