import protobuf from 'protobufjs'
import { InvalidSchemaError } from '../../errors.ts'
import {
  camelCase,
  type EnumDescriptor,
  encodeDescriptor,
  type FieldDescriptor,
  type MessageDescriptor,
  type Options,
  type ServiceDescriptor,
} from './descriptor-types.ts'
import { memberOf } from './oneof-diff.ts'
import type { ProtoFile } from './proto-file.ts'

/**
 * A file as a `FileDescriptorProto` in base64, which is what clients ask for with `format=serialized`. Options of extensions are not in it.
 * @throws {InvalidSchemaError} for an edition, whose features have no place in it here, and for a message of its own that it extends
 */
export function serializedFile({ canonical, package: name, imports, types, services, options }: ProtoFile): string {
  if (canonical.startsWith('edition ')) throw new InvalidSchemaError('a schema of an edition cannot be serialized here')
  const bytes = encodeDescriptor({
    name: 'default',
    ...(name !== '' && { package: name }),
    dependency: imports,
    messageType: types.filter((type) => type instanceof protobuf.Type).map(messageOf),
    enumType: types.filter((type) => type instanceof protobuf.Enum).map(enumOf),
    service: services.map(serviceOf),
    ...optionsOf(options),
    syntax: canonical.startsWith('syntax = "proto3"') ? 'proto3' : 'proto2',
  })
  return Buffer.from(bytes).toString('base64')
}

function messageOf(type: protobuf.Type): MessageDescriptor {
  const fields = type.fieldsArray
  if (fields.some(({ declaringField }) => declaringField !== null)) {
    throw new InvalidSchemaError(`${type.fullName} is extended in its own file, which cannot be serialized here`)
  }
  // An `optional` field of proto3 is in a `oneof` of its own, and these come last.
  const written = type.oneofsArray.filter((oneof) => oneof.fieldsArray.some((field) => memberOf(field) !== undefined))
  const oneofs = [...written, ...type.oneofsArray.filter((oneof) => !written.includes(oneof))]
  return {
    name: type.name,
    field: fields.map((field) => fieldOf(field, oneofs)),
    oneofDecl: oneofs.map(({ name }) => ({ name })),
    nestedType: [
      ...fields.filter((field) => field instanceof protobuf.MapField).map(entryOf),
      ...type.nestedArray.filter((nested) => nested instanceof protobuf.Type).map(messageOf),
    ],
    enumType: type.nestedArray.filter((nested) => nested instanceof protobuf.Enum).map(enumOf),
    extensionRange: (type.extensions ?? []).map(([start = 0, end = 0]) => ({ start, end: end + 1 })),
    ...reservedOf(type.reserved, 1),
    ...optionsOf(type.options),
  }
}

function fieldOf(field: protobuf.Field, oneofs: readonly protobuf.OneOf[]): FieldDescriptor {
  const { default: value, json_name: jsonName, proto3_optional: isOptional, ...options } = field.options ?? {}
  const isMap = field instanceof protobuf.MapField
  return {
    name: field.name,
    number: field.id,
    label: `LABEL_${field.repeated || isMap ? 'REPEATED' : field.required ? 'REQUIRED' : 'OPTIONAL'}`,
    ...(isMap
      ? { type: 'TYPE_MESSAGE', typeName: `${field.parent?.fullName}.${entryName(field)}` }
      : typeOf(field.type, field.resolvedType)),
    ...(value !== undefined && { defaultValue: defaultOf(field, String(value)) }),
    ...(typeof jsonName === 'string' && { jsonName }),
    ...(field.partOf !== null && { oneofIndex: oneofs.indexOf(field.partOf) }),
    ...(isOptional === true && { proto3Optional: true }),
    ...optionsOf(options),
  }
}

/** Bytes are escaped in a descriptor, and texts are as they are. */
function defaultOf({ type }: protobuf.Field, value: string): string {
  if (type !== 'bytes') return value
  return value.replace(/[\p{Cc}"'\\]/gu, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

/** A map is a list of messages with a key and a value. */
function entryOf(field: protobuf.MapField): MessageDescriptor {
  const label = 'LABEL_OPTIONAL'
  return {
    name: entryName(field),
    field: [
      { name: 'key', number: 1, label, ...typeOf(field.keyType, null) },
      { name: 'value', number: 2, label, ...typeOf(field.type, field.resolvedType) },
    ],
    options: { mapEntry: true },
  }
}

function entryName({ name }: protobuf.ReflectionObject): string {
  const camel = camelCase(name)
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`
}

function typeOf(type: string, resolved: protobuf.ReflectionObject | null): FieldDescriptor {
  if (resolved === null) return { type: `TYPE_${type.toUpperCase()}` }
  return { type: resolved instanceof protobuf.Enum ? 'TYPE_ENUM' : 'TYPE_MESSAGE', typeName: resolved.fullName }
}

function enumOf({ name, values, valuesOptions, reserved, options }: protobuf.Enum): EnumDescriptor {
  const value = Object.entries(values).map(([each, number]) => ({
    name: each,
    number,
    ...optionsOf(valuesOptions?.[each]),
  }))
  return { name, value, ...reservedOf(reserved, 0), ...optionsOf(options) }
}

function serviceOf({ name, methodsArray, options }: protobuf.Service): ServiceDescriptor {
  return {
    name,
    ...optionsOf(options),
    method: methodsArray.map((method) => {
      method.resolve()
      const { resolvedRequestType, resolvedResponseType, requestStream, responseStream } = method
      return {
        name: method.name,
        inputType: resolvedRequestType?.fullName ?? '',
        outputType: resolvedResponseType?.fullName ?? '',
        clientStreaming: requestStream === true,
        serverStreaming: responseStream === true,
        ...optionsOf(method.options),
      }
    }),
  }
}

function reservedOf(reserved: readonly (number[] | string)[] | undefined, beyond: number) {
  const all = reserved ?? []
  const ranges = all.filter((each) => typeof each !== 'string')
  return {
    reservedRange: ranges.map(([start = 0, end = 0]) => ({ start, end: end + beyond })),
    reservedName: all.filter((each) => typeof each === 'string'),
  }
}

/** Keeps the options that Protobuf has itself; options of extensions are in parentheses. */
function optionsOf(options: Options = {}): { readonly options?: Options } {
  const own = Object.entries(options).filter(([name]) => /^\w+$/.test(name))
  return own.length > 0 ? { options: Object.fromEntries(own.map(([name, value]) => [camelCase(name), value])) } : {}
}
