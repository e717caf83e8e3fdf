import type { Knex } from 'knex'
import { describe, expect, it } from 'vitest'
import { sumOf } from './migration-sum.ts'

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
  ])('is the same after other %s', (_, text) => {
    expect(sumOf(fromText(text))).toEqual(sumOf(fromText(orders)))
  })

  it.each([
    ['a column', orders.replace("'name'", "'title'")],
    ['a length', orders.replace('1000', '100')],
    ['a method', orders.replace('.notNullable()', '')],
    ['an SQL statement', orders.replace('(name)', '(name desc)')],
  ])('is another one after a change of %s', (_, text) => {
    expect(sumOf(fromText(text)).checksum).not.toBe(sumOf(fromText(orders)).checksum)
  })

  it.each([
    ['true', 'false'],
    ['null', 'undefined'],
    ['null', "'null'"],
    ['{ primaryKey: true }', '{ useBinaryUuid: true }'],
    ['{ primaryKey: true }', '{ primaryKey: false }'],
    ['10n', '20n'],
    ['5', '-5'],
    ['0.5', '.6'],
    ['1e-3', '1e-4'],
    ["rows.map((r) => r.replace(/'/, 'a'))", "rows.map((r) => r.replace(/'/, 'b'))"],
    ['rows.filter((r) => /a/.test(r))', 'rows.filter((r) => /b/.test(r))'],
  ])('is another one with %s than with %s', (one, other) => {
    const sum = (argument: string) => sumOf(fromText(`(table) => table.defaultTo(${argument})`)).checksum
    expect(sum(one)).not.toBe(sum(other))
  })

  it.each([
    ['1_000', '1000'],
    ['0xff', '255'],
    ['.50', '0.5'],
    ['true', '!0'],
    ['false', '!1'],
    ['undefined', 'void 0'],
    ["row['name']", 'row.name'],
    ["{ 'primaryKey': 1 }", '{primaryKey:1}'],
    ['a / 2 / b', 'a/2/b'],
    ['a ? b : c', 'x?y:z'],
  ])('is the same with %s and with %s', (one, other) => {
    const sum = (argument: string) => sumOf(fromText(`(table) => table.defaultTo(${argument})`))
    expect(sum(one)).toEqual(sum(other))
  })

  it.each([
    ['minified', '(e)=>e.text(` => { `)'],
    ['minified', 'async e=>{let t=`x`;return await e.text(t),{a:1}}'],
    ['readable', 'async (knex        )                => {}'],
    ['readable', 'function up(knex) {\n}'],
  ])('is of the form %s for %s', (form, text) => {
    expect(sumOf(fromText(text)).form).toBe(form)
  })
})
