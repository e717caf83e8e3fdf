import type { SchemaVersion } from '../store/records.ts'
import { schemaGuid } from '../store/schema-guid.ts'

/** A version of a subject as the API shows it; `schema` is its text in the format that the client wants. */
export function versionAnswer(version: SchemaVersion, schema = version.schema): object {
  const { subject, version: number, id, schemaType, references, metadata, ruleSet, deleted } = version
  return {
    subject,
    version: number,
    id,
    guid: schemaGuid(version),
    schemaType,
    ...(references.length > 0 && { references }),
    ...(metadata && { metadata }),
    ...(ruleSet && { ruleSet }),
    schema,
    ...(deleted && { deleted }),
  }
}

/** The same without the subject, as it is answered to who registers it. */
export function registrationAnswer(version: SchemaVersion, schema?: string): object {
  const { subject: _, ...rest } = versionAnswer(version, schema) as { readonly subject: string }
  return rest
}

/** A schema by its id. */
export function schemaAnswer(version: SchemaVersion, schema = version.schema): object {
  const { schemaType, references, metadata, ruleSet } = version
  return {
    guid: schemaGuid(version),
    schemaType,
    schema,
    ...(references.length > 0 && { references }),
    ...(metadata && { metadata }),
    ...(ruleSet && { ruleSet }),
  }
}
