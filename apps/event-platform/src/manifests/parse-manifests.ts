import { LIMITS } from '@taproom/limits'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import { quoted } from '../resources/field-reader.ts'
import { brokenObjectLimit } from '../resources/object-limits.ts'

/** One document of a manifest file. */
export interface ManifestDocument {
  readonly file: string
  /** Where the document begins, from 1. */
  readonly line: number
  readonly value: unknown
}

/** Why something in a manifest file was refused. */
export interface ManifestProblem {
  readonly file: string
  readonly line: number
  /** Path of the field, `(yaml)` when the file cannot be parsed at all. */
  readonly field: string
  readonly rule: string
  /** Kind and name of the object, as far as they are known. */
  readonly object?: string
}

/** What a file says; with a problem when it is no YAML, and then without documents. */
export interface ParsedManifest {
  readonly file: string
  readonly documents: readonly ManifestDocument[]
  readonly problem?: ManifestProblem
}

/** The largest file of manifests, in characters. */
const MOST_CHARACTERS = 1024 * 1024

/** Anchors can blow a small file up; no honest manifest needs more. */
const MOST_ALIASES = 100

/** Parses a file of YAML documents; empty documents are left out. Never throws. */
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
    // Unique keys are checked below: the parser compares each with all before.
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

/** The parser calls itself for each level of nesting. */
function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error))
  return message.startsWith('Maximum call stack') ? TOO_DEEP : message
}

/** Why a document must not be turned into a value, which takes long or for ever for some that no honest manifest looks like. */
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
