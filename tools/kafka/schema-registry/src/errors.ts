/** `_schemas` cannot be used as it is: it has several partitions or is not compacted. */
export class SchemaTopicError extends Error {
  override readonly name = 'SchemaTopicError'
  readonly code = 'SCHEMA_REGISTRY_TOPIC'
}

/** The address cannot be listened on: it is taken, or not of this machine. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code = 'LISTEN_FAILED'
}

/** What a request is refused with: Confluent's status, error code and message. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code = 'SCHEMA_REGISTRY_REFUSED'
  readonly status: number
  /** Five digits, the first three of them the status; or the status alone. */
  readonly errorCode: number

  constructor(errorCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.errorCode = errorCode
    this.status = errorCode > 999 ? Math.floor(errorCode / 100) : errorCode
  }
}

/** The text of a schema cannot be used; the registry answers 42201 with the message. */
export class InvalidSchemaError extends Error {
  override readonly name = 'InvalidSchemaError'
  readonly code = 'SCHEMA_REGISTRY_SCHEMA'
}

/** Confluent's refusals, with their codes and words (`Errors` of its REST API). */
export const refusals = {
  subjectNotFound: (subject: string) => new RegistryError(40401, `Subject '${subject}' not found.`),
  versionNotFound: (version: number) => new RegistryError(40402, `Version ${version} not found.`),
  schemaNotFound: (id?: number | string) =>
    new RegistryError(40403, id === undefined ? 'Schema not found' : `Schema ${id} not found`),
  subjectSoftDeleted: (subject: string) =>
    new RegistryError(40404, `Subject '${subject}' was soft deleted. Set permanent=true to delete permanently`),
  subjectNotSoftDeleted: (subject: string) =>
    new RegistryError(40405, `Subject '${subject}' was not deleted first before being permanently deleted`),
  versionSoftDeleted: (subject: string, version: number) =>
    new RegistryError(
      40406,
      `Subject '${subject}' Version ${version} was soft deleted. Set permanent=true to delete permanently`,
    ),
  versionNotSoftDeleted: (subject: string, version: number) =>
    new RegistryError(
      40407,
      `Subject '${subject}' Version ${version} was not deleted first before being permanently deleted`,
    ),
  noSubjectConfig: (subject: string) =>
    new RegistryError(40408, `Subject '${subject}' does not have subject-level compatibility configured`),
  noSubjectMode: (subject: string) =>
    new RegistryError(40409, `Subject '${subject}' does not have subject-level mode configured`),
  incompatible: (subject: string, reasons: readonly string[]) =>
    new RegistryError(
      40901,
      `Schema being registered is incompatible with an earlier schema for subject "${subject}", details: [${reasons.join(', ')}]`,
    ),
  invalidSchema: (reason: string, cause?: unknown) => new RegistryError(42201, reason, { cause }),
  invalidVersion: (version: string) =>
    new RegistryError(
      42202,
      `The specified version '${version}' is not a valid version id. Allowed values are between [1, 2^31-1] and the string "latest"`,
    ),
  invalidCompatibility: () =>
    new RegistryError(
      42203,
      'Invalid compatibility level. Valid values are none, backward, forward, full, backward_transitive, forward_transitive, and full_transitive',
    ),
  invalidMode: (reason = 'Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD.') =>
    new RegistryError(42204, reason),
  notPermitted: (reason: string) => new RegistryError(42205, reason),
  referenceExists: (subject: string, version: number) =>
    new RegistryError(
      42206,
      `One or more references exist to the schema {magic=1,keytype=SCHEMA,subject=${subject},version=${version}}.`,
    ),
  invalidSubject: (subject: string) =>
    new RegistryError(42208, `The specified subject '${subject}' is not a valid subject.`),
  schemaTooLarge: () => new RegistryError(42209, 'Register operation failed because schema is too large'),
  unprocessable: (reason: string) => new RegistryError(422, reason),
  storeFailed: (reason: string, cause?: unknown) => new RegistryError(50001, reason, { cause }),
  timedOut: (reason: string, cause?: unknown) => new RegistryError(50002, reason, { cause }),
}

/** A schema that cannot be used as the refusal of a request; other errors as they are. */
export function asRefusal(error: unknown): unknown {
  return error instanceof InvalidSchemaError ? refusals.invalidSchema(error.message, error) : error
}
