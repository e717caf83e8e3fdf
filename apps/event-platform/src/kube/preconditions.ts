import { isJsonObject } from '@taproom/core/limits'
import type { Request } from 'express'
import { type KubeObject, metadataOf } from '../resources/object.ts'
import { type ResourcePath, resourceName } from './paths.ts'
import { StatusError } from './status.ts'

/** @throws {StatusError} when the object names another resource version than the stored one */
export function assertSameVersion(input: unknown, before: KubeObject, path: ResourcePath): void {
  const given = metadataOf(input)['resourceVersion']
  if (given !== undefined && given !== '' && given !== before.metadata.resourceVersion) throw conflict(before, path)
}

/** Checks `DeleteOptions.preconditions`. @throws {StatusError} when the object does not meet them */
export function assertPreconditions(options: unknown, object: KubeObject, path: ResourcePath): void {
  const preconditions = isJsonObject(options) ? options['preconditions'] : undefined
  if (!isJsonObject(preconditions)) return
  for (const field of ['uid', 'resourceVersion'] as const) {
    const wanted = preconditions[field] ?? object.metadata[field]
    if (wanted !== object.metadata[field]) throw conflict(object, path)
  }
}

function conflict({ metadata }: KubeObject, { kind }: ResourcePath): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(kind)} "${metadata.name}": the object has been modified; please apply your changes to the latest version and try again`
  return new StatusError('Conflict', message)
}

/** Any value counts, also a repeated one. */
export function isDryRun({ query }: Request): boolean {
  return query['dryRun'] !== undefined && query['dryRun'] !== ''
}

/** Like {@link isDryRun}, from `DeleteOptions.dryRun`. */
export function isDryRunBody(options: unknown): boolean {
  const dryRun = isJsonObject(options) ? options['dryRun'] : undefined
  return Array.isArray(dryRun) ? dryRun.length > 0 : dryRun !== undefined && dryRun !== null && dryRun !== ''
}
