import protobuf from 'protobufjs'
import descriptor from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' }

/** The part of a `FileDescriptorProto` that is read and written here; what is absent or empty is not there. */
export interface FileDescriptor {
  readonly name?: string
  readonly package?: string
  readonly dependency?: readonly string[]
  readonly publicDependency?: readonly number[]
  readonly weakDependency?: readonly number[]
  readonly messageType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly service?: readonly ServiceDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly options?: Options
  readonly syntax?: string
  readonly edition?: string
}

export type Options = Readonly<Record<string, unknown>>

export interface MessageDescriptor {
  readonly name?: string
  readonly field?: readonly FieldDescriptor[]
  readonly nestedType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly extensionRange?: readonly NumberRange[]
  readonly oneofDecl?: readonly { readonly name?: string }[]
  readonly reservedRange?: readonly NumberRange[]
  readonly reservedName?: readonly string[]
  readonly options?: Options
}

export interface FieldDescriptor {
  readonly name?: string
  readonly number?: number
  readonly label?: string
  readonly type?: string
  readonly typeName?: string
  readonly extendee?: string
  readonly defaultValue?: string
  readonly jsonName?: string
  readonly oneofIndex?: number
  readonly proto3Optional?: boolean
  readonly options?: Options
}

export interface EnumDescriptor {
  readonly name?: string
  readonly value?: readonly { readonly name?: string; readonly number?: number; readonly options?: Options }[]
  readonly reservedRange?: readonly NumberRange[]
  readonly reservedName?: readonly string[]
  readonly options?: Options
}

export interface ServiceDescriptor {
  readonly name?: string
  readonly options?: Options
  readonly method?: readonly {
    readonly name?: string
    readonly inputType?: string
    readonly outputType?: string
    readonly clientStreaming?: boolean
    readonly serverStreaming?: boolean
    readonly options?: Options
  }[]
}

/** The end is not part of a message's range, and part of an enum's. */
export interface NumberRange {
  readonly start?: number
  readonly end?: number
}

const ROOT = protobuf.Root.fromJSON(descriptor).resolveAll()
const TYPE = ROOT.lookupType('google.protobuf.FileDescriptorProto')

/** @throws {Error} when the bytes are not a descriptor */
export function decodeDescriptor(bytes: Uint8Array): FileDescriptor {
  return TYPE.toObject(TYPE.decode(bytes), { enums: String, longs: String })
}

export function encodeDescriptor(file: FileDescriptor): Uint8Array {
  return TYPE.encode(TYPE.fromObject(file)).finish()
}

/** The message with the options of a kind, such as `FileOptions`. */
export function optionsType(name: string): protobuf.Type {
  return ROOT.lookupType(`google.protobuf.${name}`)
}

/** `javaPackage` as protobufjs has it, from `java_package` as it is written; protoc makes JSON names by the same rule. */
export function camelCase(name: string): string {
  return name.replace(/_+([^_]?)/g, (_, letter: string) => letter.toUpperCase())
}

/** The other way round. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
