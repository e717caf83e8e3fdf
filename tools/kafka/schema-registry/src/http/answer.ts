import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeJson } from '@taproom/core/lines'
import { RegistryError } from '../errors.ts'

/** The media types of the API; the first is what clients get that do not ask for another. */
export const MEDIA_TYPES = [
  'application/vnd.schemaregistry.v1+json',
  'application/vnd.schemaregistry+json',
  'application/json',
] as const

/** Answers with JSON in the media type that the client accepts. */
export function answer(res: ServerResponse, content: unknown, status = 200): void {
  answerText(res, safeJson(JSON.stringify(content)), status)
}

/** Answers with a text as it is, such as a schema alone. */
export function answerText(res: ServerResponse, text: string, status = 200): void {
  const type = acceptedType(res.req) ?? MEDIA_TYPES[0]
  const body = Buffer.from(text)
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length, 'Cache-Control': 'no-store' })
  res.end(body)
}

/** @throws {RegistryError} 406 when the API has no media type that the client accepts */
export function requireAccepted(req: IncomingMessage): void {
  if (acceptedType(req) === undefined) throw new RegistryError(406, 'HTTP 406 Not Acceptable')
}

/** The media type that the client prefers, of several the first. A range counts where the type itself is not named. */
function acceptedType({ headers }: IncomingMessage): string | undefined {
  const ranges = (headers.accept ?? '*/*').split(',', MOST_RANGES).map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const weightOf = (type: string) =>
    [type, 'application/*', '*/*'].flatMap((name) => ranges.find((range) => range.type === name)?.weight ?? []).at(0) ??
    0
  const [best] = MEDIA_TYPES.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}

const MOST_RANGES = 20
