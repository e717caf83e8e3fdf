import type { Request } from 'express'
import { StatusError } from './status.ts'

const MOST_SECONDS = 3600

/** A parameter of the query; undefined when it is absent or empty. */
export function parameter({ query }: Request, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw new StatusError('BadRequest', `${name} must not be given more than once`)
  return value
}

/** Whether a parameter is `true` or `1`. */
export function flag(req: Request, name: string): boolean {
  const value = parameter(req, name)
  return value === 'true' || value === '1'
}

/** The version a request begins at; undefined when it names none, as 0 does. */
export function resourceVersion(req: Request): number | undefined {
  return wholeNumber(req, 'resourceVersion') || undefined
}

/** How long a watch may last, in seconds; an hour at most, which is also the default. */
export function timeoutSeconds(req: Request): number {
  return Math.min(wholeNumber(req, 'timeoutSeconds') || MOST_SECONDS, MOST_SECONDS)
}

/** Lists are never given in parts, so `limit` changes nothing, and nobody has a token to go on with. */
export function checkPaging(req: Request): void {
  wholeNumber(req, 'limit')
  if (parameter(req, 'continue') !== undefined)
    throw new StatusError('BadRequest', 'continue is no token of this server')
}

function wholeNumber(req: Request, name: string): number | undefined {
  const text = parameter(req, name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new StatusError('BadRequest', `${name} must be a whole number of at least 0`)
  return Number(text)
}
