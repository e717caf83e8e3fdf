/**
 * A CloudEvent 1.0: context attributes as canonical strings, data as the bytes on the wire. Absent attributes and absent data are not
 * members.
 *
 * Source: CloudEvents 1.0.2, "Context Attributes" and "Type System".
 */
export interface CloudEvent {
  readonly specversion: '1.0'
  /** Identifies the event together with `source`; never empty. */
  readonly id: string
  /** A URI-reference; never empty. */
  readonly source: string
  readonly type: string
  readonly subject?: string
  /** An RFC 3339 timestamp, as it was written. */
  readonly time?: string
  /** An absolute URI. */
  readonly dataschema?: string
  /** A media type, as it was written, with parameters. */
  readonly datacontenttype?: string
  /** Extension attributes by name (`a-z0-9`); Integers and Booleans in their canonical string form. */
  readonly extensions: Readonly<Record<string, string>>
  readonly data?: Buffer
}

/** Header fields as Node gives them (`request.headers` or `request.headersDistinct`), names in lower case. */
export type EventHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
