import type { Request } from 'express'
import { badRequest } from './status.ts'

const MOST_SECONDS = 3600

/** Undefined when absent or empty. @throws {StatusError} when it is given more than once */
export function parameter({ query }: Request, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw badRequest(`${name} must not be given more than once`)
  return value
}

export function flag(req: Request, name: string): boolean {
  const value = parameter(req, name)
  return value === 'true' || value === '1'
}

/** Undefined when absent or 0. */
export function resourceVersion(req: Request): number | undefined {
  return wholeNumber(req, 'resourceVersion') || undefined
}

/** A watch's time limit; default and maximum is an hour. */
export function timeoutSeconds(req: Request): number {
  return Math.min(wholeNumber(req, 'timeoutSeconds') || MOST_SECONDS, MOST_SECONDS)
}

/** Lists are always complete: `limit` has no effect, and any `continue` token is wrong. */
export function checkPaging(req: Request): void {
  wholeNumber(req, 'limit')
  if (parameter(req, 'continue') !== undefined) throw badRequest('continue is no token of this server')
}

function wholeNumber(req: Request, name: string): number | undefined {
  const text = parameter(req, name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name} must be a whole number of at least 0`)
  return Number(text)
}
