import { readFile } from 'node:fs/promises'

/** A stand-in's data file that can't be used: names the variable, its value and what was expected. */
export class StandinDataError extends Error {
  override readonly name = 'StandinDataError'
  readonly code = 'ERR_STANDIN_DATA'
}

/** Finds out what is wrong with one record: a text such as `"abv" is no number`, or undefined when nothing is. */
export type RecordCheck = (record: Readonly<Record<string, unknown>>) => string | undefined

export interface StandinFile {
  /** Name of the variable that gives the path, for messages. */
  readonly variable: string
  /** Path of the file, relative to the working directory; undefined or empty means the shipped catalogue. */
  readonly path: string | undefined
  /** What a record is called in messages: `film`, `beer`. */
  readonly record: string
  readonly check: RecordCheck
}

/**
 * Reads a JSON array of records; undefined when no path is set.
 * @throws StandinDataError when the file can't be read, is no JSON, or a record lacks what a client needs
 */
export async function readStandinFile(file: StandinFile): Promise<Record<string, unknown>[] | undefined> {
  if (!file.path) return undefined
  const fail = (problem: string, cause?: unknown) =>
    new StandinDataError(
      `${file.variable}=${file.path}: ${problem}; expected a JSON file with an array of ${file.record}s, shaped as the remote service answers them`,
      { cause },
    )
  let text: string
  try {
    text = await readFile(file.path, 'utf8')
  } catch (error) {
    throw fail(`the file can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`, error)
  }
  let records: unknown
  try {
    records = JSON.parse(text)
  } catch (error) {
    throw fail('the file is no valid JSON', error)
  }
  if (!Array.isArray(records) || records.length === 0) throw fail('the file holds no array of records')
  for (const [index, record] of records.entries()) {
    if (!isObject(record)) throw fail(`${file.record} ${index + 1} is no object`)
    const problem = file.check(record)
    if (problem) throw fail(`${file.record} ${index + 1}: ${problem}`)
  }
  return records
}

/** The first of the named members that is not of the wanted type, as a problem text. */
export function wrongMember(
  record: Readonly<Record<string, unknown>>,
  types: Readonly<Record<string, 'string' | 'integer' | 'number'>>,
): string | undefined {
  for (const [name, type] of Object.entries(types)) {
    const value = record[name]
    const fits = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
    if (!fits) return `"${name}" is no ${type}`
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
