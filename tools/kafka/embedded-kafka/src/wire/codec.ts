import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** The version a request was sent in; flexible versions use compact lengths and tagged fields (KIP-482). */
export interface Version {
  readonly number: number
  readonly flexible: boolean
}

/** Reads and writes one type. */
export interface Codec<T> {
  read(reader: Reader, version: Version): T
  write(writer: Writer, value: T, version: Version): void
}

export type Infer<C> = C extends Codec<infer T> ? T : never
