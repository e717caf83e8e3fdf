import type { Request } from 'express'
import { JwtConfigError } from '../errors.ts'

/** What a router, a proxy or a file server may read as another path: escapes, empty or dot segments, parameters, backslashes. */
const AMBIGUOUS = /[%\\;]|\/\/|\/\.\.?(?:\/|$)/

/**
 * True for a request that may do without a token: paths as they stand, in their case, `/a` for itself and `/a/*` for all below `/a/`. A
 * path that could be read in two ways is never public.
 *
 * @throws {JwtConfigError} when a path does not begin with a slash, or has a star elsewhere
 */
export function publicPaths(paths: readonly string[]): (req: Request) => boolean {
  for (const path of paths) {
    const isSound = /^\/[^*?#]*$/.test(path.replace(/\/\*$/, '/')) && !AMBIGUOUS.test(path)
    if (!isSound)
      throw new JwtConfigError('publicPaths', `${JSON.stringify(path)} is neither a path nor one with /* at its end`)
  }
  const exact = new Set(paths.filter((path) => !path.endsWith('/*')))
  const prefixes = paths.filter((path) => path.endsWith('/*')).map((path) => path.slice(0, -1))
  return (req) => {
    // What is routed: behind a mount point express takes that away from `path`.
    const path = req.baseUrl + req.path
    if (AMBIGUOUS.test(path)) return false
    return exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
  }
}
