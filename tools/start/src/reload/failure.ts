import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '@taproom/service'
import { ServiceExitError } from '../supervisor/start-error.ts'

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

/** Why a program with these files could not be run, and the first place in its files that the error names, relative to `root`. */
export function failureOf(error: unknown, files: ReadonlyMap<string, string>, root: string): Failure {
  const text = problemsOf(error).join('; ')
  const said = error instanceof ServiceExitError ? error.said : error instanceof Error ? (error.stack ?? '') : ''
  const reason = ERROR_LINE.exec(text)?.[0] ?? text
  const places = [...said.matchAll(PLACE)].map(([, file = '', line]) => ({ path: pathOf(file), line }))
  const found = places.find(({ path }) => files.has(path))
  if (found !== undefined) return { reason, at: `${relative(root, found.path)}:${found.line}` }
  const [, importer] = MISSING_FROM.exec(said) ?? []
  return { reason, ...(importer !== undefined && { at: relative(root, importer) }) }
}

function problemsOf(error: unknown): readonly string[] {
  return error instanceof ServiceExitError || error instanceof ConfigError ? error.problems : [String(error)]
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}
