import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { difference } from '../schema-format.ts'
import type { Comparer, Differences } from './comparer.ts'
import { compareContent, contentOf, isOpen, restOf } from './content-model.ts'
import type { Container, Part } from './json-model.ts'
import { compareLimits } from './limit-diff.ts'
import { plainMatch } from './plain-pattern.ts'

const MODEL = 'PARTIALLY_OPEN_CONTENT_MODEL'

/** What an object schema says of its properties. */
function propertiesOf({ json, part }: Container) {
  const patterns = Object.entries(members(json['patternProperties']))
  const content = contentOf(part, json['additionalProperties'], json['unevaluatedProperties'])
  const dependencies = Object.entries({
    ...members(json['dependencies']),
    ...members(json['dependentSchemas']),
    ...members(json['dependentRequired']),
  })
  return {
    parts: new Map(Object.entries(members(json['properties'])).map(([name, schema]) => [name, part(schema)])),
    required: new Set(Array.isArray(json['required']) ? json['required'] : []),
    content,
    patterns: patterns.map(([pattern, schema]) => ({ pattern, schema: part(schema) })),
    isOpen: isOpen(content) && patterns.length === 0,
    needed: new Map(dependencies.flatMap(([name, value]) => (Array.isArray(value) ? [[name, new Set(value)]] : []))),
    dependent: new Map(dependencies.flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, part(value)]]))),
  }
}

type Properties = ReturnType<typeof propertiesOf>

export function compareObjects(diff: Comparer, original: Container, update: Container, path: string): Differences {
  const before = propertiesOf(original)
  const after = propertiesOf(update)
  const names = new Set([...before.parts.keys(), ...after.parts.keys()])
  return [
    ...compareRequired(before, after, path),
    ...[...names].flatMap((name) => compareProperty(diff, before, after, { name, path: `${path}/properties/${name}` })),
    ...compareDependencies(diff, before, after, `${path}/dependencies`),
    ...compareContent(diff, before.content, after.content, {
      path,
      additional: 'additionalProperties',
      unevaluated: 'unevaluatedProperties',
    }),
    ...compareLimits(original.json, update.json, ['maxProperties', 'minProperties'], path),
  ]
}

function compareRequired(before: Properties, after: Properties, path: string): Differences {
  return [...before.parts.keys()].flatMap((name) => {
    const property = after.parts.get(name)
    const isAdded = property !== undefined && after.required.has(name) && !before.required.has(name)
    return isAdded && !hasDefault(property) ? [difference('REQUIRED_ATTRIBUTE_ADDED', `${path}/required/${name}`)] : []
  })
}

interface Named {
  readonly name: string
  readonly path: string
}

function compareProperty(diff: Comparer, before: Properties, after: Properties, { name, path }: Named): Differences {
  const known = before.parts.get(name)
  const allowed = after.parts.get(name)
  if (known !== undefined && allowed !== undefined) return diff.compare(known, allowed, path)
  if (known !== undefined) return compareRemoved(diff, after, { name, path, property: known })
  return allowed === undefined ? [] : compareAdded(diff, before, after, { name, path, property: allowed })
}

interface Change extends Named {
  readonly property: Part
}

function compareRemoved(diff: Comparer, after: Properties, { name, path, property }: Change): Differences {
  if (after.isOpen) return []
  const { schemas, isComplete } = coverage(after, name)
  const isCovered = schemas.every((schema) => diff.isCompatible(property, schema, path))
  if (!isCovered) return [difference(`PROPERTY_REMOVED_NOT_COVERED_BY_${MODEL}`, path)]
  const isTaken = isComplete || property.model().kind === 'never'
  return isTaken ? [] : [difference('PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL', path)]
}

/**
 * By which schemas a property that is not listed may be allowed: compatible is what is so with all of them. Those of patterns of which nobody
 * knows whether they match are among them; `isComplete` if one of them is sure to count.
 */
function coverage({ patterns, content }: Properties, name: string): { schemas: readonly Part[]; isComplete: boolean } {
  const schemas: Part[] = []
  for (const { pattern, schema } of patterns) {
    const isMatch = plainMatch(pattern, name)
    if (isMatch !== false) schemas.push(schema)
    if (isMatch === true) return { schemas, isComplete: true }
  }
  const rest = restOf(content)
  return rest === undefined ? { schemas, isComplete: false } : { schemas: [...schemas, rest], isComplete: true }
}

function compareAdded(
  diff: Comparer,
  before: Properties,
  after: Properties,
  { name, path, property }: Change,
): Differences {
  const isRequired = after.required.has(name) && !hasDefault(property)
  if (before.isOpen) {
    if (property.model().kind === 'any') return []
    const isNeeded = after.required.has(name)
    const what = isRequired ? 'REQUIRED_PROPERTY' : isNeeded ? 'REQUIRED_PROPERTY_WITH_DEFAULT' : 'OPTIONAL_PROPERTY'
    return [difference(`${what}_ADDED_TO_OPEN_CONTENT_MODEL`, path)]
  }
  const isCovered = coverage(before, name).schemas.every((schema) => diff.isCompatible(schema, property, path))
  return [
    ...(isCovered ? [] : [difference(`PROPERTY_ADDED_NOT_COVERED_BY_${MODEL}`, path)]),
    ...(isRequired ? [difference('REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL', path)] : []),
  ]
}

function compareDependencies(diff: Comparer, before: Properties, after: Properties, path: string): Differences {
  const arrays = [...after.needed].flatMap(([name, needed]) => {
    const known = before.needed.get(name)
    if (known !== undefined && needed.isSubsetOf(known)) return []
    const change = known === undefined ? 'ADDED' : known.isSubsetOf(needed) ? 'EXTENDED' : 'CHANGED'
    return [difference(`DEPENDENCY_ARRAY_${change}`, `${path}/${name}`)]
  })
  const schemas = [...after.dependent].flatMap(([name, schema]) => {
    const known = before.dependent.get(name)
    if (known === undefined) return [difference('DEPENDENCY_SCHEMA_ADDED', `${path}/${name}`)]
    return diff.compare(known, schema, `${path}/${name}`)
  })
  return [...arrays, ...schemas]
}

function hasDefault({ schema }: Part): boolean {
  return isJsonObject(schema) && 'default' in schema
}

function members(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
