import { describe, expect, it } from 'vitest'
import { InvalidSchemaError } from '../../errors.ts'
import { createJsonFormat } from './json-format.ts'

const format = createJsonFormat()
const parse = (schema: unknown, references: Readonly<Record<string, unknown>> = {}) =>
  format.parse(
    JSON.stringify(schema),
    Object.entries(references).map(([name, each]) => ({ name, schema: JSON.stringify(each) })),
  )
const string = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const closed = (properties: object, more: object = {}) => object(properties, { additionalProperties: false, ...more })
const draft = (uri: string, schema: object) => ({ $schema: uri, ...schema })

describe('a JSON Schema', () => {
  it.each([
    ['a type that is none', { type: 'text' }],
    ['a text for a number', { maxLength: '3' }],
    ['properties that are a list', { properties: [] }],
    ['a list at the top', []],
    ['a $ref to nowhere', { properties: { a: { $ref: '#/definitions/b' } } }],
    ['a $ref to a file', { $ref: 'file:///etc/passwd' }],
    [
      'a keyword of 2020-12 of the wrong type',
      draft('https://json-schema.org/draft/2020-12/schema', { prefixItems: 1 }),
    ],
  ])('is refused with %s', (_what, schema) => {
    expect(() => parse(schema)).toThrow(InvalidSchemaError)
  })

  it.each([
    [
      'draft-04',
      draft('http://json-schema.org/draft-04/schema#', { id: 'http://x/', maximum: 1, exclusiveMaximum: true }),
    ],
    ['draft-07', draft('http://json-schema.org/draft-07/schema#', { if: string, else: false })],
    ['2019-09', draft('https://json-schema.org/draft/2019-09/schema', { $anchor: 'a', not: { $ref: '#a' } })],
    ['2020-12', draft('https://json-schema.org/draft/2020-12/schema', { prefixItems: [string], items: false })],
    ['a pattern of another language', { pattern: '\\p{Alpha}++' }],
    ['data that looks like a $ref', { default: { $ref: '#/nowhere' } }],
    ['the schema of schemas', { $ref: 'http://json-schema.org/draft-07/schema#' }],
  ])('can be %s', (_what, schema) => {
    expect(parse(schema).canonical).toBe(JSON.stringify(schema))
  })

  it.each([
    ['the same', object({ a: string }), object({ a: string }), true],
    ['anything', { type: 'number' }, {}, true],
    ['another type', { type: 'number' }, string, false],
    ['integers as numbers', { type: 'integer' }, { type: 'number' }, true],
    ['numbers as integers', { type: 'number' }, { type: 'integer' }, false],
    ['a further type', string, { type: ['string', 'null'] }, true],
    ['a type less', { type: ['string', 'null'] }, string, false],
    ['a wider limit', { type: 'string', maxLength: 3 }, { type: 'string', maxLength: 4 }, true],
    ['a narrower limit', { type: 'number', minimum: 1 }, { type: 'number', minimum: 2 }, false],
    ['an exclusive limit of draft-04', { type: 'number' }, { type: 'number', exclusiveMaximum: 3 }, false],
    ['a multiple less', { type: 'number', multipleOf: 0.3 }, { type: 'number', multipleOf: 0.1 }, true],
    ['a further enum value', { enum: ['a'] }, { enum: ['b', 'a'] }, true],
    ['an enum value less', { enum: ['a', 'b'] }, { enum: ['a'] }, false],
    ['another const', { const: { a: 1 } }, { const: { a: 2 } }, false],
    ['a new property where others were open', object({}), object({ a: string }), false],
    ['a new property where there were no others', closed({}), closed({ a: string }), true],
    ['a new required one', closed({}), closed({ a: string }, { required: ['a'] }), false],
    [
      'a new required one with a default',
      closed({}),
      closed({ a: { ...string, default: '' } }, { required: ['a'] }),
      true,
    ],
    ['a property that is gone', object({ a: string }), object({}), true],
    ['a property that is gone where there are no others', closed({ a: string }), closed({}), false],
    [
      'a property that a plain pattern covers',
      closed({ s_a: string }),
      closed({}, { patternProperties: { '^s_': string } }),
      true,
    ],
    [
      'a property that a pattern may cover',
      closed({ a: string }),
      closed({}, { patternProperties: { '^[a-z]$': string } }),
      false,
    ],
    ['no other properties any more', object({ a: string }), closed({ a: string }), false],
    ['more alternatives', { oneOf: [string] }, { oneOf: [string, { type: 'number' }] }, true],
    ['fewer alternatives', { oneOf: [string, { type: 'number' }] }, { oneOf: [string] }, false],
    ['more conditions', { allOf: [string] }, { allOf: [string, { maxLength: 1 }] }, false],
    ['less that is forbidden', { not: { type: ['string', 'null'] } }, { not: string }, true],
    ['further items', { items: [string] }, { items: [string, string] }, false],
    ['further items behind the last', { items: [string], additionalItems: false }, { items: [string, string] }, true],
    ['other items', { type: 'array', items: string }, { type: 'array', items: { type: 'number' } }, false],
    ['items that differ', { type: 'array' }, { type: 'array', uniqueItems: true }, false],
    ['a dependency', object({}), object({}, { dependencies: { a: ['b'] } }), false],
  ])('reads %s', (_what, writer, reader, isReadable) => {
    expect(parse(reader).unreadable(parse(writer)).length === 0).toBe(isReadable)
  })

  it('is compared with what it refers to, by name, address and anchor', () => {
    const references = {
      'a.json': { $id: 'http://example.com/a.json', definitions: { b: string, c: { $id: '#c', ...string } } },
    }
    for (const $ref of ['a.json#/definitions/b', 'http://example.com/a.json#/definitions/b', 'a.json#c']) {
      const schema = parse(object({ x: { $ref } }), references)
      expect(schema.unreadable(parse(object({ x: string })))).toEqual([])
      expect(schema.unreadable(parse(object({ x: { type: 'number' } })))).toEqual([
        "{errorType:'TYPE_CHANGED', path:'#/properties/x'}",
      ])
    }
  })
})
