import { describe, expect, it } from 'vitest'
import { InvalidSchemaError } from '../../errors.ts'
import { protoFormat } from './proto-format.ts'

const proto3 = (body: string) => `syntax = "proto3"; package a; ${body}`
const proto2 = (body: string) => `syntax = "proto2"; package a; ${body}`
const parse = (source: string, references: Readonly<Record<string, string>> = {}) =>
  protoFormat.parse(
    source,
    Object.entries(references).map(([name, schema]) => ({ name, schema })),
  )

describe('a Protobuf schema', () => {
  it('has one text, whatever its white space and comments', () => {
    const source = `syntax="proto3";// a
      package  a.b ; /* b */
      message M{string a=1[json_name="x//y"];map<string,.a.b.M>m=2;reserved 4 , 6 to 7;}
      option (x).y = { a : 1 };
      service S{rpc R(M)returns(stream M);}`
    const { canonical } = parse(source)
    expect(canonical).toBe(`syntax = "proto3";
package a.b;
message M {
  string a = 1 [json_name = "x//y"];
  map<string, .a.b.M> m = 2;
  reserved 4, 6 to 7;
}
option (x).y = {
  a : 1
};
service S {
  rpc R(M) returns (stream M);
}
`)
    expect(parse(canonical).canonical).toBe(canonical)
  })

  it.each([
    ['no source', 'hello'],
    ['an unknown syntax', 'syntax = "foo";'],
    ['an unknown type', proto3('message M { Beer beer = 1; }')],
    ['a number twice', proto3('message M { string a = 1; string b = 1; }')],
    ['an import that is not there', `${proto3('')} import "beer.proto";`],
    ['a bracket too many', proto3('message M { } }')],
  ])('is refused with %s', (_what, source) => {
    expect(() => parse(source)).toThrow(InvalidSchemaError)
  })

  it("knows Google's types, and those of its references", () => {
    const beer = proto3('message Beer { string name = 1; }')
    const source = `${proto3('message M { Beer beer = 1; google.protobuf.Timestamp at = 2; }')}
      import "beer.proto"; import "google/protobuf/timestamp.proto"; import "google/protobuf/descriptor.proto";
      extend google.protobuf.FieldOptions { string unit = 50000; }`
    const before = parse(source, { 'beer.proto': beer })
    const number = parse(source, { 'beer.proto': beer.replace('string', 'int32') })
    expect(before.unreadable(before)).toEqual([])
    expect(number.unreadable(before)).toEqual(["{errorType:'FIELD_SCALAR_KIND_CHANGED', path:'#/M/1/1'}"])
  })

  it("knows the files that Confluent's clients have themselves", () => {
    const source = `${proto3('message M { confluent.type.Decimal price = 1 [(confluent.field_meta).doc = "x"]; }')}
      import "confluent/meta.proto"; import "confluent/type/decimal.proto";`
    const [before, after] = [parse(source), parse(source.replace('M {', 'M { string name = 2;'))]
    expect(after.unreadable(before)).toEqual([])
    expect(parse(before.inFormat?.('serialized') ?? '').canonical).toContain('.confluent.type.Decimal price = 1;')
  })

  const message = (fields: string) => proto3(`message M { ${fields} }`)
  it.each([
    ['another name of a field', message('string a = 1;'), message('string b = 1;'), true],
    ['another number type', message('int32 a = 1;'), message('uint64 a = 1;'), true],
    ['a zigzag number', message('int32 a = 1;'), message('sint32 a = 1;'), false],
    ['text as bytes', message('string a = 1;'), message('bytes a = 1;'), true],
    ['an enum as a number', message('E a = 1; enum E { X = 0; }'), message('int32 a = 1;'), true],
    ['a message as a text', message('M a = 1;'), message('string a = 1;'), false],
    [
      'another message',
      message('N a = 1; message N {} message O {}'),
      message('O a = 1; message N {} message O {}'),
      false,
    ],
    ['a map as a list', message('map<string, string> a = 1;'), message('repeated string a = 1;'), false],
    ['other values of a map', message('map<string, int32> a = 1;'), message('map<string, string> a = 1;'), false],
    ['a new field', message(''), message('string a = 1;'), true],
    ['a field that is gone', message('string a = 1;'), message(''), true],
    ['a message that is gone', proto3('message M {} message N {}'), proto3('message M {}'), false],
    ['a new message', proto3('message M {}'), proto3('message N {} message M {}'), true],
    ['another package', proto3('message M {}'), 'syntax = "proto3"; package b; message M {}', false],
    ['a field moved into a new oneof', message('string a = 1;'), message('oneof o { string a = 1; }'), true],
    [
      'two fields moved into a oneof',
      message('string a = 1; string b = 2;'),
      message('oneof o { string a = 1; string b = 2; }'),
      false,
    ],
    [
      'a field moved into a oneof of others',
      message('oneof o { string a = 1; } string b = 2;'),
      message('oneof o { string a = 1; string b = 2; }'),
      false,
    ],
    [
      'a field of a oneof less',
      message('oneof o { string a = 1; string b = 2; }'),
      message('oneof o { string a = 1; }'),
      false,
    ],
    ['a oneof less', message('oneof o { string a = 1; }'), message(''), true],
    ['an optional field', message('string a = 1;'), message('optional string a = 1;'), true],
    ['a new required field', proto2('message M {}'), proto2('message M { required int32 a = 1; }'), false],
    [
      'a list of numbers for one',
      proto2('message M { optional int32 a = 1; }'),
      proto2('message M { repeated int32 a = 1; }'),
      false,
    ],
    [
      'a list of texts for one',
      proto2('message M { optional string a = 1; }'),
      proto2('message M { repeated string a = 1; }'),
      true,
    ],
  ])('reads %s', (_what, writer, reader, isReadable) => {
    expect(parse(reader).unreadable(parse(writer)).length === 0).toBe(isReadable)
  })

  it('may contain itself', () => {
    const tree = message('M left = 1; N n = 2; message N { M m = 1; }')
    expect(parse(tree).unreadable(parse(tree))).toEqual([])
  })
})
