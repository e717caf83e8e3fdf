import type { SchemaVersion } from '../store/records.ts'
import { guidOf } from '../store/registry-state.ts'

/** A version of a subject as the API shows it. */
export function versionAnswer(version: SchemaVersion): object {
  const { subject, version: number, id, schemaType, references, schema, deleted } = version
  return {
    subject,
    version: number,
    id,
    guid: guidOf(version),
    schemaType,
    ...(references.length > 0 && { references }),
    schema,
    ...(deleted && { deleted }),
  }
}

/** The same without the subject, as it is answered to who registers it. */
export function registrationAnswer(version: SchemaVersion): object {
  const { subject: _, ...rest } = versionAnswer(version) as { readonly subject: string }
  return rest
}

/** A schema by its id. */
export function schemaAnswer(version: SchemaVersion): object {
  const { schemaType, references, schema } = version
  return { guid: guidOf(version), schemaType, schema, ...(references.length > 0 && { references }) }
}
