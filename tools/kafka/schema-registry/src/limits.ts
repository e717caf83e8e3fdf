/** What one registry takes from outside. More is refused, or where it stands in the topic already, passed over and logged. */
export const REGISTRY_LIMITS = {
  /** Bytes of a request's body. */
  bodyBytes: 1024 * 1024,
  /** Bytes of one record: with its headers it fits into Kafka's default `max.message.bytes`. */
  recordBytes: 1_000_000,
  /** Levels of arrays and objects, of messages, or of brackets inside each other in a schema. */
  depth: 100,
  /** Values in a schema that is JSON, and in a record: what reads Avro takes a second for as many. */
  jsonValues: 10_000,
  /** Words, numbers, texts and signs in a schema that is Protobuf. */
  protoTokens: 50_000,
  /** Characters of a subject or of the name of a reference. */
  nameLength: 1024,
  subjects: 10_000,
  /** Versions of all subjects, deleted ones included. */
  versions: 100_000,
  /** Versions of one subject, deleted ones included: all of them may have to be compared. */
  versionsOfSubject: 1000,
  /** Bytes of all versions, with their metadata and rules. */
  storedBytes: 256 * 1024 * 1024,
  /** References of one schema. */
  references: 100,
  /** Schemas that one schema needs, references of references included. */
  referredSchemas: 500,
  /** Pairs of parts that one comparison of two JSON Schemas may look at. */
  comparisons: 50_000,
  /** Writes that wait for those before them. */
  waitingWrites: 200,
} as const
