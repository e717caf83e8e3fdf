import { readFile } from 'node:fs/promises'
import { isJsonObject, JsonError, parseJson } from '@taproom/core/limits'
import { ConfigError } from '@taproom/service'

/** Types of the members that a record must have; other members are passed on as they are. */
export type RecordShape = Readonly<Record<string, 'string' | 'integer' | 'number'>>

export type ShapedRecord<S extends RecordShape> = {
  readonly [M in keyof S]: S[M] extends 'string' ? string : number
} & { readonly [member: string]: unknown }

export interface StandinFile<S extends RecordShape> {
  /** The variable that gives the path, for messages. */
  readonly variable: string
  /** Path of the file, relative to the working directory; undefined means the shipped catalogue. */
  readonly path: string | undefined
  /** A record's name in messages: `film`, `beer`. */
  readonly record: string
  readonly shape: S
}

/** Most values in the file: it is read once, and its user's own. */
const MAX_VALUES = 1_000_000

/**
 * Reads a JSON array of records; undefined when no path is set.
 *
 * @throws {ConfigError} when the file can't be read, is no JSON array, or a record lacks a member, naming variable, value and
 *   expectation
 */
export async function readStandinFile<S extends RecordShape>(
  file: StandinFile<S>,
): Promise<ShapedRecord<S>[] | undefined> {
  if (file.path === undefined) return undefined
  const fail = (problem: string) =>
    new ConfigError([
      `${file.variable}=${JSON.stringify(file.path)}: ${problem}; expected a JSON file with an array of ${file.record}s, shaped as the remote service answers them`,
    ])
  const text = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fail(`the file can't be read (${error.code ?? 'unknown error'})`)
  })
  let records: unknown
  try {
    records = parseJson(text, { maxValues: MAX_VALUES })
  } catch (error) {
    const isLimit = error instanceof JsonError && error.code !== 'JSON_INVALID'
    throw fail(isLimit ? error.message : 'the file is no valid JSON')
  }
  if (!Array.isArray(records) || records.length === 0) throw fail('the file holds no array of records')
  for (const [index, record] of records.entries()) {
    if (!isJsonObject(record)) throw fail(`${file.record} ${index + 1} is no object`)
    const problem = wrongMember(record, file.shape)
    if (problem) throw fail(`${file.record} ${index + 1}: ${problem}`)
  }
  return records
}

function wrongMember(record: Readonly<Record<string, unknown>>, shape: RecordShape): string | undefined {
  for (const [name, type] of Object.entries(shape)) {
    const value = record[name]
    const fits = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type
    if (!fits) return `"${name}" is no ${type}`
  }
  return undefined
}
