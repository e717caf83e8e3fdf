import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { InvalidSchemaError } from '../../errors.ts'
import { parseSchemaJson } from '../exact-json.ts'
import type { NamedSchema } from '../schema-format.ts'
import { asDraft07, type Dialect, dialectOf, META_SCHEMA_URI } from './json-dialect.ts'

/** A part of a schema, and the document and address that its `$ref`s are relative to. */
export interface Place {
  readonly schema: unknown
  readonly root: unknown
  readonly base: string
  readonly dialect: Dialect
}

/** For documents without an address of their own. */
const UNNAMED = 'registry:///'
/** What is data, and no part of the schema. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])
const MOST_HOPS = 50

/** A schema and those that it refers to; `$ref`s lead to these alone, and nothing is ever fetched. */
export class JsonDocuments {
  readonly main: Place
  readonly #places = new Map<string, Place>()

  constructor(json: unknown, references: readonly NamedSchema[]) {
    for (const { name, schema } of references) {
      const place = this.#add(parseSchemaJson(schema), resolved(name, UNNAMED))
      this.#places.set(name, place)
    }
    this.main = this.#add(json, UNNAMED)
  }

  /** @throws {InvalidSchemaError} when a `$ref` of the main schema leads nowhere */
  checkReferences(): void {
    this.#walk(this.main, ({ schema, ...place }) => {
      const ref = isJsonObject(schema) ? schema['$ref'] : undefined
      if (typeof ref === 'string') this.#find(ref, { schema, ...place })
    })
  }

  /** Follows `$ref`s; undefined for a circle of nothing but `$ref`s. */
  follow(ref: string, from: Place): Place | undefined {
    let place = this.#find(ref, from)
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      const { schema } = place
      const next = isJsonObject(schema) && isOnlyReference(schema, place.dialect) ? schema['$ref'] : undefined
      if (typeof next !== 'string') return place
      place = this.#find(next, place)
    }
    return undefined
  }

  /** A part of a part: an address of its own begins a new base. */
  within(place: Place, schema: unknown): Place {
    const id = isJsonObject(schema) ? schema['$id'] : undefined
    const isAddress = typeof id === 'string' && !id.startsWith('#')
    return isAddress ? { ...place, schema, root: schema, base: resolved(id, place.base) } : { ...place, schema }
  }

  #add(json: unknown, base: string): Place {
    const dialect = dialectOf(json)
    const schema = isJsonObject(json) ? asDraft07(json, dialect) : json
    const document = this.within({ schema, root: schema, base, dialect }, schema)
    this.#places.set(base, document)
    this.#walk(document, (place) => {
      if (!isJsonObject(place.schema)) return
      const { $id, $anchor } = place.schema
      if (typeof $id === 'string') this.#places.set($id.startsWith('#') ? place.base + $id : place.base, place)
      if (typeof $anchor === 'string') this.#places.set(`${place.base}#${$anchor}`, place)
    })
    return document
  }

  #find(ref: string, from: Place): Place {
    const [address = '', fragment = ''] = ref.split('#', 2)
    const uri = resolved(address, from.base)
    const isHere = address === '' || uri === from.base
    const document = this.#places.get(address) ?? (isHere ? { ...from, schema: from.root } : this.#places.get(uri))
    if (document === undefined) {
      if (META_SCHEMA_URI.test(ref)) return { ...from, schema: true }
      throw new InvalidSchemaError(`$ref ${JSON.stringify(ref.slice(0, 200))} leads nowhere`)
    }
    const found = fragment === '' ? document : this.#fragment(document, fragment)
    if (found === undefined) throw new InvalidSchemaError(`$ref ${JSON.stringify(ref.slice(0, 200))} leads nowhere`)
    return found
  }

  #fragment(document: Place, fragment: string): Place | undefined {
    if (!fragment.startsWith('/')) return this.#places.get(`${document.base}#${fragment}`)
    let place = document
    for (const step of fragment.slice(1).split('/')) {
      const name = unescaped(step)
      const { schema } = place
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, name)) return undefined
      place = this.within(place, (schema as JsonObject)[name])
    }
    return place
  }

  #walk(place: Place, visit: (place: Place) => void): void {
    visit(place)
    const { schema } = place
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, part] of Object.entries(schema)) {
      if (typeof part === 'object' && part !== null && !DATA.has(name)) this.#walk(this.within(place, part), visit)
    }
  }
}

/** Before 2019 what stands beside a `$ref` is ignored. */
export function isOnlyReference(schema: JsonObject, dialect: Dialect): boolean {
  if (typeof schema['$ref'] !== 'string') return false
  return dialect === 'draft-04' || dialect === 'draft-07' || Object.keys(schema).length === 1
}

function resolved(address: string, base: string): string {
  return URL.parse(address, base)?.href.replace(/#$/, '') ?? address
}

/** RFC 6901, in a fragment of a URI. */
function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
