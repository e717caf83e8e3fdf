/**
 * How much of what strangers send is read, in one place. Each reader that refuses something by one of these names the rule in its
 * answer. A mebibyte of anything within them is read without holding the event loop for more than 50 ms.
 */
export const LIMITS = {
  /** Levels of arrays and objects inside each other in a JSON text: recursion over what is parsed stays far from the end of the stack. */
  jsonDepth: 500,
  /** Values in a JSON text that is built in memory: 50,000 different member names take about 30 ms to parse. */
  jsonValues: 50_000,
  /** Attributes of one event, extensions included; those that brokers add come on top. */
  eventAttributes: 256,
  /**
   * Bytes of one event's attributes as HTTP headers in binary mode, names and percent-encoding included. Common servers take 16 KiB of
   * headers; the rest is left to the request itself, to what brokers add, and to headers that travel along.
   */
  eventAttributeBytes: 12 * 1024,
  /** Bytes of one event's data. */
  eventDataBytes: 1024 * 1024,
  /** Bytes of one event in structured mode: Base64 makes four bytes of three, and the attributes come with it. */
  structuredEventBytes: 1536 * 1024,
  /** Levels of maps and lists inside each other in a resource (broker, trigger, service): honest ones have about ten. */
  objectDepth: 100,
  /** Values in a resource: it is compared, listed and saved many times. */
  objectValues: 10_000,
  /** Bytes of a resource as JSON, without its status; Kubernetes allows its annotations as many. */
  objectBytes: 256 * 1024,
  /** Characters of a signed token: what fits the 16 KiB of headers that it comes in. */
  tokenBytes: 16 * 1024,
  /** Levels of arrays and objects in a token: claims in use have two or three, a chain of actors (RFC 8693) a few more. */
  tokenDepth: 32,
  /** Bytes of a set of verification keys, decompressed. */
  keySetBytes: 256 * 1024,
  /** Redirects that are followed one after another. */
  redirects: 5,
} as const
