import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServiceExitError } from '../supervisor/start-error.ts'

/** Why sources could not be run. */
export interface Failure {
  readonly reason: string
  /** Where, if it says so: `apps/orders/src/app.ts:12`. */
  readonly at?: string
}

/** A file with its line, and maybe its column, as Node writes it: a URL in stacks of modules, a path elsewhere. */
const PLACE = /(file:\/\/\/[^\s:()'"]+|\/[^\s:()'"]+):(\d+)(?::\d+)?/g
/** Node's name for what it could not load: `Error [ERR_MODULE_NOT_FOUND]: Cannot find module …`. */
const ERROR_LINE = /^\w*(?:Error|Exception)\b[^:\n]*: .+$/m
const MISSING_FROM = /imported from (\/[^\s'"]+)/

/** Why a process did not become ready, and the first place in the sources of `root` that what it wrote names. */
export function failureOf({ problems, said }: Pick<ServiceExitError, 'problems' | 'said'>, root: string): Failure {
  const text = problems.join('; ')
  const reason = ERROR_LINE.exec(text)?.[0] ?? text
  const places = [...said.matchAll(PLACE)].map(([, file = '', line]) => ({ path: pathOf(file), line }))
  const found = places.find(({ path }) => path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`))
  if (found !== undefined) return { reason, at: `${relative(root, found.path)}:${found.line}` }
  const [, importer] = MISSING_FROM.exec(said) ?? []
  return { reason, ...(importer !== undefined && { at: relative(root, importer) }) }
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}
