/** A JSON object whose members are not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** False for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
