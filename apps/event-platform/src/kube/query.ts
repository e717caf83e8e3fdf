import type { Request } from 'express'
import { badRequest, StatusError } from './status.ts'

const MOST_SECONDS = 3600

/** Undefined when absent or empty. @throws {StatusError} when it is given more than once */
export function parameter({ query }: Request, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw badRequest(`${name} must not be given more than once`)
  return value
}

/** As Kubernetes reads it: every value but `false` and `0` is true. Undefined when absent. @throws {StatusError} as `parameter` does */
export function flag(req: Request, name: string): boolean | undefined {
  if (req.query[name] === undefined) return undefined
  const value = parameter(req, name)?.toLowerCase()
  return value !== '0' && value !== 'false'
}

/** Where a watch begins. */
export interface WatchStart {
  /** Resource version to resume from. */
  readonly since?: number
  /** The oldest version that all objects may have. */
  readonly atLeast?: number
  /** Without `since`: true when the watch begins with all objects. */
  readonly hasPresent: boolean
  /** True when a bookmark says that all of them have been sent (KEP-3157). */
  readonly isMarked: boolean
}

/**
 * Reads where a watch is to begin.
 *
 * @throws {StatusError} when the parameters do not fit each other
 */
export function watchStart(req: Request): WatchStart {
  const version = resourceVersion(req)
  const match = parameter(req, 'resourceVersionMatch')
  const isInitial = flag(req, 'sendInitialEvents')
  if (isInitial === undefined) {
    if (match !== undefined)
      throw forbidden('resourceVersionMatch', 'is forbidden for watch unless sendInitialEvents is set')
    return { ...(version !== undefined && { since: version }), hasPresent: version === undefined, isMarked: false }
  }
  if (match !== 'NotOlderThan') throw forbidden('resourceVersionMatch', 'must be NotOlderThan with sendInitialEvents')
  if (!isInitial) return { ...(version !== undefined && { since: version }), hasPresent: false, isMarked: false }
  const isMarked = flag(req, 'allowWatchBookmarks') === true
  return { ...(version !== undefined && { atLeast: version }), hasPresent: true, isMarked }
}

/**
 * Checks the version that a list is to have; a list has the present one, `current`.
 *
 * @throws {StatusError} when the parameters do not fit each other, or the list cannot have that version
 */
export function checkListVersion(req: Request, current: number): void {
  const version = resourceVersion(req)
  const match = parameter(req, 'resourceVersionMatch')
  if (flag(req, 'sendInitialEvents') !== undefined) throw forbidden('sendInitialEvents', 'is forbidden for list')
  if (match === undefined) return
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    throw forbidden('resourceVersionMatch', 'must be Exact or NotOlderThan')
  }
  if (parameter(req, 'resourceVersion') === undefined) {
    throw forbidden('resourceVersionMatch', 'is forbidden unless resourceVersion is set')
  }
  if (match === 'Exact' && version === undefined) {
    throw forbidden('resourceVersionMatch', 'must not be Exact with resourceVersion 0')
  }
  if (version !== undefined && (version > current || (match === 'Exact' && version < current))) {
    throw expired(version, current)
  }
}

/** The refusal of a version that the platform does not know any more, or not yet. */
export function expired(version: number, current: number): StatusError {
  return new StatusError('Expired', `too old resource version: ${version} (${current})`)
}

function forbidden(field: string, rule: string): StatusError {
  const details = { causes: [{ reason: 'FieldValueForbidden', message: rule, field }] }
  return new StatusError('Invalid', `${field} ${rule}`, { details })
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
