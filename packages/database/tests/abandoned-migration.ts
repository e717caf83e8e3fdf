/** A migration that does not end, outside of a transaction. A test kills it. */
import { migrate } from '../src/index.ts'

const write = (fields: object, msg: string) => console.log(JSON.stringify({ ...fields, msg }))
const { promise } = Promise.withResolvers<void>()
setInterval(() => undefined, 60_000)

await migrate(
  { kind: 'postgres', url: process.env['DATABASE_URL'] ?? '' },
  { '0001_endless': { config: { transaction: false }, up: () => promise, down: () => promise } },
  { table: 'killed_migrations', log: { info: write, warn: write, error: write } },
)
