import type { NamedSchema } from '../schema-format.ts'

/** The files that Confluent's clients have themselves and so register nowhere, each after those that it imports. */
const FILES: readonly NamedSchema[] = [
  {
    name: 'confluent/meta.proto',
    schema: `syntax = "proto3";
package confluent;
import "google/protobuf/descriptor.proto";
message Meta { string doc = 1; map<string, string> params = 2; repeated string tags = 3; repeated Rule rules = 4; }
message Rule { string name = 1; string doc = 2; string expr = 3; string sql = 4; }
extend google.protobuf.FileOptions { Meta file_meta = 1088; }
extend google.protobuf.MessageOptions { Meta message_meta = 1088; }
extend google.protobuf.FieldOptions { Meta field_meta = 1088; }
extend google.protobuf.EnumOptions { Meta enum_meta = 1088; }
extend google.protobuf.EnumValueOptions { Meta enum_value_meta = 1088; }`,
  },
  {
    name: 'confluent/type/decimal.proto',
    schema: `syntax = "proto3";
package confluent.type;
message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }`,
  },
]

/** The files of Confluent that these sources may import, without those that are among the references. */
export function confluentFiles(source: string, references: readonly NamedSchema[]): readonly NamedSchema[] {
  const sources = [source, ...references.map(({ schema }) => schema)]
  return FILES.filter(
    ({ name }) =>
      sources.some((text) => text.includes(`"${name}"`)) && !references.some((reference) => reference.name === name),
  )
}
