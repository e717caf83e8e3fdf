/** Header fields as Node gives them (`request.headers` or `request.headersDistinct`), names in lower case. */
export type EventHeaders = Readonly<Record<string, string | readonly string[] | undefined>>
