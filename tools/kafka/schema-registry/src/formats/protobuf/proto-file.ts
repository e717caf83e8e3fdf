import { reasonOf } from '@taproom/core/lines'
import protobuf from 'protobufjs'
import descriptor from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' }
import { InvalidSchemaError } from '../../errors.ts'
import type { NamedSchema } from '../schema-format.ts'
import { confluentFiles } from './confluent-files.ts'
import { canonicalProto } from './proto-text.ts'

/** A `.proto` file with all that it imports. */
export interface ProtoFile {
  readonly canonical: string
  /** Empty for none. */
  readonly package: string
  readonly isProto2: boolean
  /** Its own types, those of its imports left out. */
  readonly types: readonly protobuf.ReflectionObject[]
  readonly imports: readonly string[]
  readonly services: readonly protobuf.Service[]
  /** Options of the file itself. */
  readonly options: Readonly<Record<string, unknown>>
  /** The name of a type without its package. */
  localName(type: protobuf.ReflectionObject): string
}

/** protobufjs reads a file without types whatever its syntax. */
const UNKNOWN_SYNTAX = /^syntax = (?!["']proto[23]["'];)/
const DESCRIPTOR = 'google/protobuf/descriptor.proto'

/**
 * Reads a file; Google's well-known types and Confluent's need not be among the references.
 * @throws {InvalidSchemaError} when it is not valid, or imports what is not there
 */
export function readProtoFile(source: string, given: readonly NamedSchema[]): ProtoFile {
  const canonical = canonicalProto(source)
  if (UNKNOWN_SYNTAX.test(canonical))
    throw new InvalidSchemaError('Invalid Protobuf: the syntax must be proto2 or proto3')
  const references = [...confluentFiles(canonical, given), ...given]
  const root = new protobuf.Root()
  const imported = new Set<string>()
  const packages = new Set<string>()
  const names = new Set(references.map(({ name }) => name))

  const add = (text: string) => {
    const file = protobuf.parse(text, root, { keepCase: true })
    for (const path of [...(file.imports ?? []), ...(file.weakImports ?? [])]) {
      if (!names.has(path)) addWellKnown(path)
    }
    packages.add(file.package ?? '')
    return { package: file.package ?? '', imports: [...(file.imports ?? []), ...(file.weakImports ?? [])] }
  }
  const addWellKnown = (path: string) => {
    if (imported.has(path)) return
    imported.add(path)
    const json = path === DESCRIPTOR ? descriptor : protobuf.common.get(path)
    if (json?.nested == null)
      throw new InvalidSchemaError(`Invalid Protobuf: import ${JSON.stringify(path)} leads nowhere`)
    root.addJSON(json.nested)
    packages.add('google.protobuf')
  }

  try {
    for (const { schema } of references) add(canonicalProto(schema))
    const foreign = new Set(typesIn(root))
    const { package: own, imports } = add(canonical)
    const namespace = root.lookup(own)
    const wellKnown = new Set(packages.has('google.protobuf') && own !== 'google.protobuf' ? typesIn(lookup(root)) : [])
    root.resolveAll()
    return {
      canonical,
      package: own,
      imports,
      services: namespace instanceof protobuf.Namespace ? servicesIn(namespace) : [],
      options: namespace?.options ?? {},
      isProto2: !/^(?:syntax = ["']proto3["'];|edition )/.test(canonical),
      types: typesIn(root).filter((type) => !foreign.has(type) && !wellKnown.has(type)),
      localName: (type) => localName(type.fullName.slice(1), packages),
    }
  } catch (cause) {
    if (cause instanceof InvalidSchemaError) throw cause
    throw new InvalidSchemaError(`Invalid schema of type PROTOBUF: ${reasonOf(cause)}`, { cause })
  }
}

function lookup(root: protobuf.Root): protobuf.NamespaceBase {
  const found = root.lookup('google.protobuf')
  return found instanceof protobuf.Namespace ? found : root
}

/** Messages and enums at the top of their files. */
function typesIn(namespace: protobuf.NamespaceBase): protobuf.ReflectionObject[] {
  return namespace.nestedArray.flatMap((each) => {
    if (each instanceof protobuf.Type || each instanceof protobuf.Enum) return [each]
    return each instanceof protobuf.Namespace && !(each instanceof protobuf.Service) ? typesIn(each) : []
  })
}

function servicesIn({ nestedArray }: protobuf.NamespaceBase): protobuf.Service[] {
  return nestedArray.filter((each) => each instanceof protobuf.Service)
}

function localName(name: string, packages: ReadonlySet<string>): string {
  const own = [...packages].filter((each) => each !== '' && name.startsWith(`${each}.`))
  const longest = own.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === '' ? name : name.slice(longest.length + 1)
}
