import { createHash } from 'node:crypto'
import { type DataContract, hashContract } from './data-contract.ts'
import type { SchemaReference } from './records.ts'

interface HashedSchema extends DataContract {
  readonly schema: string
  readonly references: readonly SchemaReference[]
}

/** Two schemas are the same when they have this: the MD5 of text, references, metadata and rules, as Confluent computes it and shows it as a UUID. */
export function schemaGuid({ schema, references, ...contract }: HashedSchema): string {
  const hash = createHash('md5').update(schema)
  for (const { name, subject, version } of references) {
    const number = Buffer.alloc(4)
    number.writeInt32BE(version)
    hash.update(name).update(subject).update(number)
  }
  hashContract(hash, contract)
  return hash.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
