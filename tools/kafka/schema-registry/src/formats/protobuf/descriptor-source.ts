import protobuf from 'protobufjs'
import { InvalidSchemaError } from '../../errors.ts'
import {
  camelCase,
  decodeDescriptor,
  type EnumDescriptor,
  type FieldDescriptor,
  type FileDescriptor,
  type MessageDescriptor,
  type NumberRange,
  type Options,
  optionsType,
  type ServiceDescriptor,
  snakeCase,
} from './descriptor-types.ts'

/** No source of Protobuf is without white space or a semicolon. */
const BASE64 = /^[A-Za-z\d+/]{4,}={0,2}$/
const WORD = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/
const NUMBER_OR_WORD = /^[\w.+-]+$/
const ESCAPED = /^(?:[^"\\\n]|\\[^\n])*$/
const LARGEST_NUMBER = 536_870_911
const LARGEST_ENUM_NUMBER = 2_147_483_647

/**
 * The source of a schema that is a `FileDescriptorProto` in base64, as Confluent's clients send it; undefined when the text is none.
 * Comments and options of extensions are not in it.
 * @throws {InvalidSchemaError} when it has groups, or is not a descriptor
 */
export function sourceOfDescriptor(text: string): string | undefined {
  if (!BASE64.test(text.trim())) return undefined
  try {
    return new DescriptorSource(decodeDescriptor(Buffer.from(text, 'base64'))).write()
  } catch (cause) {
    if (cause instanceof InvalidSchemaError) throw cause
    throw new InvalidSchemaError('Invalid Protobuf: the base64 is not a FileDescriptorProto', { cause })
  }
}

class DescriptorSource {
  readonly #file: FileDescriptor
  readonly #isProto2: boolean

  constructor(file: FileDescriptor) {
    this.#file = file
    this.#isProto2 = (file.syntax ?? 'proto2') === 'proto2'
  }

  write(): string {
    const { package: name, dependency = [], publicDependency, weakDependency, options, edition = '' } = this.#file
    const { messageType = [], enumType = [], extension = [], service = [], syntax = 'proto2' } = this.#file
    const imports = dependency.map((path, index) => {
      const kind = publicDependency?.includes(index) ? 'public ' : weakDependency?.includes(index) ? 'weak ' : ''
      return `import ${kind}${JSON.stringify(path)};`
    })
    return [
      syntax === 'editions' ? `edition = "${edition.replace('EDITION_', '')}";` : `syntax = ${JSON.stringify(syntax)};`,
      ...(name ? [`package ${word(name)};`] : []),
      ...imports,
      ...statements(options, 'FileOptions'),
      ...messageType.map((message) => this.#message(message)),
      ...enumType.map(writeEnum),
      ...this.#extensions(extension),
      ...service.map(writeService),
    ].join('\n')
  }

  #message(message: MessageDescriptor): string {
    const { name, nestedType = [], enumType = [], extension = [], extensionRange, options = {} } = message
    const { mapEntry: _, ...written } = options
    const ranges = rangesOf(extensionRange, LARGEST_NUMBER, 1)
    return block(`message ${word(name)}`, [
      ...statements(written, 'MessageOptions'),
      ...reserved(message, LARGEST_NUMBER, 1),
      ...(ranges.length > 0 ? [`extensions ${ranges.join(', ')};`] : []),
      ...this.#members(message),
      ...nestedType.filter((nested) => nested.options?.['mapEntry'] !== true).map((nested) => this.#message(nested)),
      ...enumType.map(writeEnum),
      ...this.#extensions(extension),
    ])
  }

  /** Fields in their order, a `oneof` in the place of the first of its own. */
  #members(message: MessageDescriptor): readonly string[] {
    const { field: fields = [], oneofDecl = [] } = message
    const groupOf = ({ oneofIndex, proto3Optional }: FieldDescriptor) => (proto3Optional ? undefined : oneofIndex)
    return fields.flatMap((field, index) => {
      const group = groupOf(field)
      if (group === undefined) return [this.#field(field, message)]
      if (fields.findIndex((each) => groupOf(each) === group) < index) return []
      const own = fields.filter((each) => groupOf(each) === group)
      return [
        block(
          `oneof ${word(oneofDecl[group]?.name)}`,
          own.map((each) => this.#field(each, message)),
        ),
      ]
    })
  }

  #field(field: FieldDescriptor, { nestedType = [] }: MessageDescriptor): string {
    const { name, number, type = '', typeName = '', label, options = {}, defaultValue, jsonName } = field
    if (type === 'TYPE_GROUP') throw new InvalidSchemaError(`Invalid Protobuf: the field ${name} is a group`)
    const entry = nestedType.find((each) => each.options?.['mapEntry'] === true && typeName.endsWith(`.${each.name}`))
    const [key, value] = entry?.field ?? []
    const written = [
      ...(defaultValue === undefined ? [] : [`default = ${defaultOf(defaultValue, type)}`]),
      ...(jsonName === undefined || jsonName === camelCase(name ?? '')
        ? []
        : [`json_name = ${JSON.stringify(jsonName)}`]),
      ...assignments(options, optionsType('FieldOptions')),
    ]
    const text = key && value ? `map<${typeOf(key)}, ${typeOf(value)}>` : `${this.#label(field, label)}${typeOf(field)}`
    return `${text} ${word(name)} = ${number}${written.length > 0 ? ` [${written.join(', ')}]` : ''};`
  }

  #label({ oneofIndex, proto3Optional }: FieldDescriptor, label = 'LABEL_OPTIONAL'): string {
    if (proto3Optional) return 'optional '
    if (oneofIndex !== undefined) return ''
    if (label !== 'LABEL_OPTIONAL') return `${label.slice('LABEL_'.length).toLowerCase()} `
    return this.#isProto2 ? 'optional ' : ''
  }

  #extensions(fields: readonly FieldDescriptor[]): readonly string[] {
    return fields.map((field) => block(`extend ${word(field.extendee)}`, [this.#field(field, {})]))
  }
}

function typeOf({ type = '', typeName }: FieldDescriptor): string {
  return typeName === undefined ? type.slice('TYPE_'.length).toLowerCase() : word(typeName)
}

/** A name, which may have a package before it: nothing else of a descriptor may become source. */
function word(name = ''): string {
  if (WORD.test(name)) return name
  throw new InvalidSchemaError(`Invalid Protobuf: ${JSON.stringify(name.slice(0, 200))} is not a name`)
}

/** The descriptor has bytes escaped already, and numbers and values of enums as they are written. */
function defaultOf(value: string, type: string): string {
  if (type === 'TYPE_STRING') return quoted(value)
  const isValid = type === 'TYPE_BYTES' ? ESCAPED.test(value) : NUMBER_OR_WORD.test(value)
  if (!isValid)
    throw new InvalidSchemaError(`Invalid Protobuf: ${JSON.stringify(value.slice(0, 200))} is not a default`)
  return type === 'TYPE_BYTES' ? `"${value}"` : value
}

function writeEnum(descriptor: EnumDescriptor): string {
  const { name, value: values = [], options } = descriptor
  const written = values.map((value) => {
    const own = assignments(value.options, optionsType('EnumValueOptions'))
    return `${word(value.name)} = ${value.number}${own.length > 0 ? ` [${own.join(', ')}]` : ''};`
  })
  return block(`enum ${word(name)}`, [
    ...statements(options, 'EnumOptions'),
    ...written,
    ...reserved(descriptor, LARGEST_ENUM_NUMBER, 0),
  ])
}

function writeService({ name, options, method = [] }: ServiceDescriptor): string {
  const streamed = (isStream: boolean | undefined, type = '') => `${isStream ? 'stream ' : ''}${word(type)}`
  const methods = method.map((each) => {
    const [input, output] = [
      streamed(each.clientStreaming, each.inputType),
      streamed(each.serverStreaming, each.outputType),
    ]
    const head = `rpc ${word(each.name)}(${input}) returns (${output})`
    const own = statements(each.options, 'MethodOptions')
    return own.length > 0 ? block(head, own) : `${head};`
  })
  return block(`service ${word(name)}`, [...statements(options, 'ServiceOptions'), ...methods])
}

function reserved(of: MessageDescriptor | EnumDescriptor, largest: number, beyond: number): readonly string[] {
  const ranges = rangesOf(of.reservedRange, largest, beyond)
  const names = (of.reservedName ?? []).map((name) => JSON.stringify(name))
  return [ranges, names].flatMap((items) => (items.length > 0 ? [`reserved ${items.join(', ')};`] : []))
}

function rangesOf(ranges: readonly NumberRange[] = [], largest: number, beyond: number): readonly string[] {
  return ranges.map(({ start = 0, end = 0 }) => {
    const last = end - beyond
    return last === start ? `${start}` : `${start} to ${last >= largest ? 'max' : last}`
  })
}

function block(head: string, body: readonly string[]): string {
  return `${head} {\n${body.join('\n')}\n}`
}

function statements(options: Options | undefined, type: string): readonly string[] {
  return assignments(options, optionsType(type)).map((assignment) => `option ${assignment};`)
}

function assignments(options: Options = {}, type: protobuf.Type, before = ''): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const path = before + snakeCase(name)
    if (Array.isArray(value)) return []
    const field = type.fields[name]
    if (field?.resolvedType instanceof protobuf.Type)
      return assignments(value as Options, field.resolvedType, `${path}.`)
    return [`${path} = ${field?.type === 'string' ? quoted(String(value)) : value}`]
  })
}

/** With the escapes that every reader of Protobuf knows; other control characters may stand in a text as they are. */
function quoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' }
  return `"${text.replace(/["\\\n\r\t\0]/g, (sign) => escapes[sign] ?? `\\${sign}`)}"`
}
