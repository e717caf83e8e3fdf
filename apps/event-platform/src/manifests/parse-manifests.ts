import { LineCounter, parseAllDocuments } from 'yaml'

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

/** Anchors can blow a small file up; no honest manifest needs more. */
const MAX_ALIASES = 100

/** Parses a file of YAML documents; empty documents are left out. */
export function parseManifests(file: string, text: string): ParsedManifest {
  const lineCounter = new LineCounter()
  const documents: ManifestDocument[] = []
  const parsed = parseAllDocuments(text, { lineCounter, prettyErrors: false, uniqueKeys: true })
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const line = lineCounter.linePos(document.contents?.range?.[0] ?? document.range[0]).line
    const error = document.errors[0]
    if (error !== undefined) {
      return {
        file,
        documents: [],
        problem: { ...at(file, lineCounter.linePos(error.pos[0]).line), rule: error.message },
      }
    }
    try {
      const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
      if (value !== null && value !== undefined) documents.push({ file, line, value })
    } catch (error) {
      return { file, documents: [], problem: { ...at(file, line), rule: String(error) } }
    }
  }
  return { file, documents }
}

function at(file: string, line: number): { file: string; line: number; field: string } {
  return { file, line, field: '(yaml)' }
}
