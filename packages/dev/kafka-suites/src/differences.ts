/** A test that passes on Apache Kafka and not on embedded-kafka, and why that stays so. */
interface KnownDifference {
  readonly suite: string
  /** Full names of tests. */
  readonly tests: readonly string[]
  readonly because: string
}

const KNOWN: readonly KnownDifference[] = [
  {
    suite: 'kafka-go',
    tests: ['TestConn/test_delete_topics', 'TestConn/test_delete_topics_with_an_invalid_topic'],
    because:
      'a topic that is asked for is there at once; Apache Kafka first answers that it is not, which the test takes for deletion',
  },
]

export function reasonFor(suite: string, test: string): string | undefined {
  return KNOWN.find((known) => known.suite === suite && known.tests.includes(test))?.because
}
