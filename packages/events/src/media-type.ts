/** `type/subtype` in lower case, without parameters. */
export function essenceOf(mediaType: string): string {
  // The type of nearly every event.
  if (mediaType === 'application/json') return mediaType
  const end = mediaType.indexOf(';')
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase()
}

/** Whether the subtype is `json` or ends in `+json` (CloudEvents JSON format, 3.1.1). */
export function isJsonMediaType(mediaType: string): boolean {
  const essence = essenceOf(mediaType)
  return essence.endsWith('/json') || essence.endsWith('+json')
}

/** Whether a message of this media type is in structured or batched mode (CloudEvents HTTP binding 3, Kafka binding 3). */
export function isCloudEventsMediaType(mediaType: string | undefined): mediaType is string {
  if (mediaType === undefined || mediaType === 'application/json') return false
  return mediaType.toLowerCase().startsWith('application/cloudevents')
}

/** In lower case. */
export function charsetOf(mediaType: string): string | undefined {
  return /;[ \t]*charset="?([^\s";]+)/i.exec(mediaType)?.[1]?.toLowerCase()
}
