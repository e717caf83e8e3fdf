import { closestMatch } from 'leven'

/** Names of a query and of manifests come from outside: longer ones are compared with nothing. */
const MAX_LENGTH = 200
const MAX_NAMES = 5
/** A third of the letters may differ; two of longer names, as where two are swapped. */
const SHARE = 3
const SWAPPED = 2
const SHORT = 3

/** The known name that was probably meant; undefined where none is close, or the name itself is known. */
export function closeName(name: string, known: Iterable<string>): string | undefined {
  const candidates = [...known].filter(({ length }) => length <= MAX_LENGTH)
  if (name.length > MAX_LENGTH || candidates.includes(name)) return undefined
  const byCase = candidates.find((each) => each.toLowerCase() === name.toLowerCase())
  const most = name.length <= SHORT ? 1 : Math.max(SWAPPED, Math.floor(name.length / SHARE))
  return byCase ?? closestMatch(name, candidates, { maxDistance: most })
}

/** Several of them, the closest first. */
export function closeNames(name: string, known: Iterable<string>): readonly string[] {
  const left = new Set(known)
  const found: string[] = []
  while (found.length < MAX_NAMES) {
    const close = closeName(name, left)
    if (close === undefined) break
    found.push(close)
    left.delete(close)
  }
  return found
}
