import { describe, expect, it } from 'vitest'
import { InvalidSchemaError } from '../../errors.ts'
import { avroFormat } from './avro-format.ts'

const canonical = (schema: unknown) => JSON.parse(avroFormat.parse(JSON.stringify(schema), []).canonical)
const record = (...fields: readonly object[]) => ({ type: 'record', name: 'R', fields })
const field = (type: unknown, more: object = {}) => record({ name: 'f', type, ...more })

describe('an Avro schema', () => {
  it.each([
    ['a primitive in long form', { type: 'string' }, 'string'],
    ['one with properties', { type: 'long', logicalType: 'date' }, { type: 'long', logicalType: 'date' }],
    ['a full name', { type: 'fixed', name: 'a.b.F', size: 2 }, { type: 'fixed', name: 'F', namespace: 'a.b', size: 2 }],
    ['the order ascending', field('int', { order: 'ascending' }), field('int')],
    ['no aliases', field('int', { aliases: [] }), field('int')],
    [
      'names of the same namespace',
      { ...field({ type: 'enum', name: 'x.E', symbols: ['A'] }), name: 'R', namespace: 'x' },
      { ...field({ type: 'enum', name: 'E', symbols: ['A'] }), namespace: 'x' },
    ],
  ])('has one text for %s', (_what, schema, expected) => {
    expect(canonical(schema)).toEqual(expected)
    expect(canonical(expected)).toEqual(expected)
  })

  it('has its members in the order of the Java library', () => {
    const text =
      '{"x":1,"fields":[{"default":0,"doc":"d","type":"int","name":"f"}],"doc":"r","namespace":"n","name":"R","type":"record"}'
    expect(avroFormat.parse(text, []).canonical).toBe(
      '{"type":"record","name":"R","namespace":"n","doc":"r","fields":[{"name":"f","type":"int","doc":"d","default":0}],"x":1}',
    )
  })

  it.each([
    ['no JSON', 'record'],
    ['an unknown name', '"Beer"'],
    ['a record without fields', '{"type":"record","name":"R"}'],
    ['a field twice', JSON.stringify(record({ name: 'f', type: 'int' }, { name: 'f', type: 'int' }))],
    ['a default of another type', JSON.stringify(field('int', { default: 'x' }))],
    ['a name that is none', JSON.stringify({ ...record(), name: '1' })],
    ['a union in a union', '[["null"],"int"]'],
    ['a type in a type', '{"type":{"type":"string"}}'],
  ])('is refused with %s', (_what, text) => {
    expect(() => avroFormat.parse(text, [])).toThrow(InvalidSchemaError)
  })

  it.each([
    ['an int as a long', 'int', 'long', true],
    ['a long as an int', 'long', 'int', false],
    ['an int as a double', 'int', 'double', true],
    ['bytes as a string', 'bytes', 'string', true],
    ['one type as a union with it', 'string', ['null', 'string'], true],
    ['a union as one of its types', ['null', 'string'], 'string', false],
    ['a record of another namespace', { ...record(), namespace: 'a' }, { ...record(), namespace: 'b' }, true],
    ['a record of another name', record(), { ...record(), name: 'S' }, false],
    ['a field that is new', record(), field('int'), false],
    ['a field that is new and has a default', record(), field('int', { default: 0 }), true],
    ['a field that is gone', field('int'), record(), true],
    ['a field by its alias', field('int'), record({ name: 'g', aliases: ['f'], type: 'int' }), true],
    [
      'fewer symbols',
      { type: 'enum', name: 'E', symbols: ['A', 'B'] },
      { type: 'enum', name: 'E', symbols: ['A'] },
      false,
    ],
    [
      'fewer symbols and a default',
      { type: 'enum', name: 'E', symbols: ['A', 'B'] },
      { type: 'enum', name: 'E', symbols: ['A'], default: 'A' },
      true,
    ],
    ['a fixed of another size', { type: 'fixed', name: 'F', size: 1 }, { type: 'fixed', name: 'F', size: 2 }, false],
  ])('reads %s', (_what, writer, reader, isReadable) => {
    const [written, read] = [writer, reader].map((schema) => avroFormat.parse(JSON.stringify(schema), []))
    if (written === undefined || read === undefined) throw new Error('no schemas')
    expect(read.unreadable(written).length === 0).toBe(isReadable)
  })
})
