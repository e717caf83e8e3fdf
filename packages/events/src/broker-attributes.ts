/**
 * Extension attributes that brokers add on the way (Knative's and ours), each with the bytes, as a header, that do not count towards
 * `LIMITS.eventAttributeBytes`: an accepted event must not outgrow the limit before delivery. The longest are 1024 characters of an address
 * and 1024 bytes of an answer in Base64.
 */
export const ADDED_BY_BROKERS: ReadonlyMap<string, number> = new Map([
  ['knativebrokerttl', 64],
  ['knativearrivaltime', 64],
  ['knativeerrordest', 1056],
  ['knativeerrorcode', 64],
  ['knativeerrordata', 1408],
])
