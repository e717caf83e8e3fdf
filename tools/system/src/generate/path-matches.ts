/** A path of a route: `PathPrefix` has all paths below it, too. */
export interface PathMatch {
  readonly type: 'Exact' | 'PathPrefix'
  readonly value: string
}

/** The paths of an app in routes of a cluster; `open` are the paths ending in `/*` of all apps. */
export function pathMatches(serves: readonly string[], open: readonly string[]): readonly PathMatch[] {
  // Below such a path another app answers, whose prefix covers it.
  const isWithinAnother = (path: string) =>
    open.some((other) => !serves.includes(other) && `${path}/`.startsWith(other.slice(0, -1)))
  const exact = serves.filter((path) => !path.endsWith('/*') && isWithinAnother(path))
  // A prefix matches the paths below it, too.
  const own = [...new Set(serves.filter((path) => !exact.includes(path)).map((path) => path.replace(/\/\*$/, '')))]
  const prefixes = own.filter((path) => !own.some((other) => path.startsWith(`${other}/`)))
  return [
    ...exact.flatMap((path) => [path, `${path}/`]).map((value) => ({ type: 'Exact', value }) as const),
    ...prefixes.map((value) => ({ type: 'PathPrefix', value }) as const),
  ]
}
