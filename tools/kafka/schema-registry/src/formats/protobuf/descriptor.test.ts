import { describe, expect, it } from 'vitest'
import { InvalidSchemaError } from '../../errors.ts'
import { decodeDescriptor, encodeDescriptor, type FileDescriptor } from './descriptor-types.ts'
import { protoFormat } from './proto-format.ts'

const SOURCE = `syntax = "proto3";
package a.b;
import "google/protobuf/timestamp.proto";
option java_package = "x.y";
option optimize_for = CODE_SIZE;
option objc_class_prefix = "GPB";
option php_class_prefix = "X1";
message Beer {
  reserved 20, 22 to 24;
  reserved "foo";
  string name = 1 [deprecated = true];
  map<string, .a.b.Beer> mixed_with = 2;
  oneof price {
    int32 cents = 3;
    .a.b.Beer.Tax tax = 4;
  }
  optional int64 litres = 5;
  repeated int32 numbers = 6 [packed = false];
  .google.protobuf.Timestamp at = 7 [json_name = "when"];
  .a.b.Beer.Kind kind = 8;
  int32 a__b = 9;
  message Tax {
    bytes code = 1;
  }
  enum Kind {
    PALE = 0;
    DARK = 1 [deprecated = true];
  }
}
service Bar {
  option deprecated = true;
  rpc Order(.a.b.Beer) returns (stream .a.b.Beer);
  rpc Look(.a.b.Beer) returns (.a.b.Beer) {
    option idempotency_level = NO_SIDE_EFFECTS;
  }
}
`
const PROTO2 = `syntax = "proto2";
message M {
  extensions 100 to max;
  required int32 a = 1;
  optional string b = 2 [default = "x \\"y\\""];
  repeated .M c = 3;
}
enum E {
  ONE = 1;
  reserved 4 to max;
}
`

const parse = (schema: string) => protoFormat.parse(schema, [])
const source = (file: FileDescriptor) => parse(Buffer.from(encodeDescriptor(file)).toString('base64')).canonical
const serialized = (schema: string) => parse(schema).inFormat?.('serialized') ?? ''

describe('a Protobuf schema as a descriptor', () => {
  it.each([
    ['proto3', SOURCE],
    ['proto2', PROTO2.replaceAll('\\\\', '\\')],
  ])('is the same schema as its source, in %s', (_syntax, source) => {
    expect(parse(source).canonical).toBe(source)
    expect(parse(serialized(source)).canonical).toBe(source)
    expect(parse(source).unreadable(parse(serialized(source)))).toEqual([])
  })

  it.each([
    ['a_', 'a'],
    ['a_B', 'aB'],
    ['a__b', 'aB'],
    ['_a1_2b', 'A12b'],
  ])('leaves out the JSON name that protoc gives %s', (name, jsonName) => {
    const field = { name, jsonName, number: 1, type: 'TYPE_INT32' }
    expect(source({ syntax: 'proto3', messageType: [{ name: 'M', field: [field] }] })).toContain(
      `  int32 ${name} = 1;\n`,
    )
  })

  it.each(['STRING', 'BYTES'])('has the default of type %s as it was', (type) => {
    const defaultValue = type === 'STRING' ? 'a\u0001"\\\n\t\b' : '\\001\\042\\134a\\012'
    const field = { name: 'a', number: 1, type: `TYPE_${type}`, label: 'LABEL_OPTIONAL', defaultValue }
    const text = source({ messageType: [{ name: 'M', field: [field] }] })
    const [message] = decodeDescriptor(Buffer.from(serialized(text), 'base64')).messageType ?? []
    expect(message?.field?.[0]?.defaultValue).toBe(defaultValue)
  })

  it('names what it imports, and has the fields that protoc gives it', () => {
    const file = decodeDescriptor(Buffer.from(serialized(SOURCE), 'base64'))
    expect(file).toMatchObject({
      package: 'a.b',
      syntax: 'proto3',
      dependency: ['google/protobuf/timestamp.proto'],
      options: { javaPackage: 'x.y', optimizeFor: 'CODE_SIZE' },
    })
    const [beer] = file.messageType ?? []
    expect(beer?.oneofDecl).toEqual([{ name: 'price' }, { name: '_litres' }])
    expect(beer?.field?.[1]).toMatchObject({ label: 'LABEL_REPEATED', typeName: '.a.b.Beer.MixedWithEntry' })
    expect(beer?.nestedType?.map(({ name }) => name)).toEqual(['MixedWithEntry', 'Tax'])
    expect(beer?.reservedRange).toEqual([
      { start: 20, end: 21 },
      { start: 22, end: 25 },
    ])
  })

  it.each([
    ['bytes that are none', Buffer.from('hello world').toString('base64')],
    [
      'a group',
      Buffer.from(
        encodeDescriptor({ messageType: [{ name: 'M', field: [{ name: 'a', type: 'TYPE_GROUP' }] }] }),
      ).toString('base64'),
    ],
    ['an unknown syntax', Buffer.from(encodeDescriptor({ syntax: 'foo' })).toString('base64')],
    ['names that are none', Buffer.from(encodeDescriptor({ messageType: [{ name: 'M { } }' }] })).toString('base64')],
  ])('is refused with %s', (_what, schema) => {
    expect(() => parse(schema)).toThrow(InvalidSchemaError)
  })

  it.each([
    ['an edition', 'edition = "2023"; message M { int32 a = 1; }'],
    [
      'a message that it extends itself',
      'syntax = "proto2"; message M { extensions 100 to 199; } extend M { optional string ext = 101; }',
    ],
  ])('is not written for %s', (_what, schema) => {
    expect(() => serialized(schema)).toThrow(InvalidSchemaError)
  })
})
