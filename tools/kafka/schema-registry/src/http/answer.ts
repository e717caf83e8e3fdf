import { safeJson } from '@taproom/core/lines'
import type { Request, Response } from 'express'
import { RegistryError } from '../errors.ts'

/** The media types of the API; the first is what clients get that do not ask for another. */
export const MEDIA_TYPES = [
  'application/vnd.schemaregistry.v1+json',
  'application/vnd.schemaregistry+json',
  'application/json',
] as const

/** Answers with JSON in the media type that the client accepts. */
export function answer(res: Response, content: unknown, status = 200): void {
  answerText(res, safeJson(JSON.stringify(content)), status)
}

/** Answers with a text as it is, such as a schema alone. */
export function answerText(res: Response, text: string, status = 200): void {
  const type = res.req.accepts([...MEDIA_TYPES]) || MEDIA_TYPES[0]
  const body = Buffer.from(text)
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length, 'Cache-Control': 'no-store' })
  res.end(body)
}

/** The first handler: refuses what the API cannot answer in (406). */
export function requireAccepted(req: Request, _res: Response, next: () => void): void {
  if (req.accepts([...MEDIA_TYPES]) === false) throw new RegistryError(406, 'HTTP 406 Not Acceptable')
  next()
}
