/**
 * The extension attributes that brokers add to events on their way, in Knative as here, and how many bytes of each, as a header, do not
 * count towards `LIMITS.eventAttributeBytes`: an event that was taken must not outgrow the limit where it is delivered. The longest ones are
 * 1024 characters of an address, and 1024 bytes of an answer in Base64.
 */
export const ADDED_BY_BROKERS: ReadonlyMap<string, number> = new Map([
  ['knativebrokerttl', 64],
  ['knativearrivaltime', 64],
  ['knativeerrordest', 1056],
  ['knativeerrorcode', 64],
  ['knativeerrordata', 1408],
])
