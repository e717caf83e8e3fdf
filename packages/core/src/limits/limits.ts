/**
 * How much input from outside is read. A reader that refuses input names the rule in its answer. Input of 1 MiB within these limits
 * blocks the event loop for no more than 50 ms.
 */
export const LIMITS = {
  /** Levels of nesting in a JSON text, far fewer than would overflow the stack of a recursive reader. */
  jsonDepth: 500,
  /** Values in a JSON text that is built in memory: 50,000 different member names take about 30 ms to parse. */
  jsonValues: 50_000,
  /** Attributes of one event, extensions included; those that brokers add come on top. */
  eventAttributes: 256,
  /**
   * Bytes of one event's attributes as HTTP headers in binary mode, names and percent-encoding included. Common servers take 16 KiB of
   * headers; the rest is for the request itself, for what brokers add, and for headers that are passed along.
   */
  eventAttributeBytes: 12 * 1024,
  /** Bytes of one event's data. */
  eventDataBytes: 1024 * 1024,
  /** Bytes of one event in structured mode: Base64 makes four bytes of three, and the attributes are in the body too. */
  structuredEventBytes: 1536 * 1024,
  /** Levels of nesting in a resource (broker, trigger, service): real ones have about ten. */
  objectDepth: 100,
  /** Values in a resource: it is compared, listed and saved many times. */
  objectValues: 10_000,
  /** Bytes of a resource as JSON, without its status; what Kubernetes allows for annotations alone. */
  objectBytes: 256 * 1024,
  /** Characters of a signed token: more do not fit into 16 KiB of headers. */
  tokenBytes: 16 * 1024,
  /** Levels of nesting in a token: real claims have two or three, a chain of actors (RFC 8693) a few more. */
  tokenDepth: 32,
  /** Bytes of a set of verification keys, decompressed. */
  keySetBytes: 256 * 1024,
  /** Redirects that are followed one after another. */
  redirects: 5,
} as const
