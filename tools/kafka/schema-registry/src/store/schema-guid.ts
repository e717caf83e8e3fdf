import { createHash } from 'node:crypto'
import type { SchemaReference } from './records.ts'

/** What makes two schemas the same: the MD5 of text and references, as Confluent computes it and shows it as a UUID. */
export function schemaGuid(schema: string, references: readonly SchemaReference[]): string {
  const hash = createHash('md5').update(schema)
  for (const { name, subject, version } of references) {
    const number = Buffer.alloc(4)
    number.writeInt32BE(version)
    hash.update(name).update(subject).update(number)
  }
  return hash.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
