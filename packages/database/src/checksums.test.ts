import type { Knex } from 'knex'
import { describe, expect, it } from 'vitest'
import { checksumOf } from './checksums.ts'

/** As a bundler writes it; `orders` has it as in the sources. */
const fromText = (text: string): ((knex: Knex) => unknown) => new Function(`return ${text}`)()
const orders = `(knex) => knex.schema.createTable('orders', (table) => {
  table.string('name', 1000).notNullable() // the customer's
  return knex.raw("create index on orders (name)")
})`

describe('decisions 3.192: the checksum of a migration', () => {
  it.each([
    ['line endings', orders.replaceAll('\n', '\r\n')],
    ['comments', orders.replace("the customer's", 'of whom "?')],
    [
      'quotes, semicolons, blanks',
      orders.replaceAll("'", '"').replace(/\n +/g, '\n').replace('notNullable()', 'notNullable();'),
    ],
    [
      'a minifier',
      'e=>e.schema.createTable(`orders`,t=>(t.string(`name`,1e3).notNullable(),e.raw(`create index on orders (name)`)))',
    ],
  ])('is the same after other %s', (_, text) => {
    expect(checksumOf(fromText(text))).toBe(checksumOf(fromText(orders)))
  })

  it.each([
    ['a column', orders.replace("'name'", "'title'")],
    ['a length', orders.replace('1000', '100')],
    ['a method', orders.replace('.notNullable()', '')],
    ['an SQL statement', orders.replace('(name)', '(name desc)')],
  ])('is another one after a change of %s', (_, text) => {
    expect(checksumOf(fromText(text))).not.toBe(checksumOf(fromText(orders)))
  })
})
