import { LIMITS } from '@taproom/core/limits'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import { quoted } from '../resources/field-reader.ts'
import { brokenObjectLimit } from '../resources/object-limits.ts'

export interface ManifestDocument {
  readonly file: string
  /** First line of the document, from 1. */
  readonly line: number
  readonly value: unknown
}

export interface ManifestProblem {
  readonly file: string
  readonly line: number
  /** Path of the field; `(yaml)` when the file cannot be parsed. */
  readonly field: string
  readonly rule: string
  /** Kind and name, as far as known. */
  readonly object?: string
}

/** Without documents, and with a problem, when the file is not YAML. */
export interface ParsedManifest {
  readonly file: string
  readonly documents: readonly ManifestDocument[]
  readonly problem?: ManifestProblem
}

/** Characters in one file. */
const MOST_CHARACTERS = 1024 * 1024

/** Aliases can make a small file expand enormously. */
const MOST_ALIASES = 100

/** Skips empty documents. Never throws. */
export function parseManifests(file: string, text: string): ParsedManifest {
  const lineCounter = new LineCounter()
  const refused = (line: number, rule: string) => ({
    file,
    documents: [],
    problem: { file, line, field: '(yaml)', rule },
  })
  if (text.length > MOST_CHARACTERS) return refused(1, `must not have more than ${MOST_CHARACTERS} characters`)
  const documents: ManifestDocument[] = []
  let line = 1
  try {
    // Unique keys are checked below: the parser would compare each key with all before it.
    const parsed = parseAllDocuments(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
    for (const document of Array.isArray(parsed) ? parsed : []) {
      line = lineCounter.linePos(document.contents?.range?.[0] ?? document.range[0]).line
      const error = document.errors[0]
      if (error !== undefined) return refused(lineCounter.linePos(error.pos[0]).line, reasonOf(error))
      const problem = problemOf(document)
      if (problem !== undefined) return refused(line, problem)
      const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
      if (value === null || value === undefined) continue
      const broken = brokenObjectLimit(value)
      if (broken !== undefined) return refused(line, broken)
      documents.push({ file, line, value })
    }
  } catch (error) {
    return refused(line, reasonOf(error))
  }
  return { file, documents }
}

const TOO_DEEP = `must not be nested deeper than ${LIMITS.objectDepth} levels`

/** The parser recurses at each level of nesting, and may overflow the stack. */
function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error))
  return message.startsWith('Maximum call stack') ? TOO_DEEP : message
}

/** Rejects documents that would take very long to turn into a value. */
function problemOf(document: Document.Parsed): string | undefined {
  let level: unknown[] = [document.contents]
  let aliases = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LIMITS.objectDepth) return TOO_DEEP
    const next: unknown[] = []
    for (const node of level) {
      if (isAlias(node)) {
        aliases += 1
        if (aliases > MOST_ALIASES) return `must not have more than ${MOST_ALIASES} aliases`
      } else if (isSeq(node)) {
        for (const item of node.items) next.push(item)
      } else if (isMap(node)) {
        const seen = new Set<string>()
        for (const { key, value } of node.items) {
          if (!isScalar(key)) return 'must have texts for keys'
          const name = String(key.value)
          if (seen.has(name)) return `Map keys must be unique; ${quoted(name)} is repeated`
          seen.add(name)
          next.push(value)
        }
      }
    }
    level = next
  }
  return undefined
}
