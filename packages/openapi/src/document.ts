/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ResponseHeader {
  readonly description: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** The response for one status. Without `content` the body is empty. */
export interface ApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, ResponseHeader>>
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

export interface ApiParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** The body of a request. */
export interface ApiRequestBody {
  readonly description?: string
  /** Whether a request without one is refused. */
  readonly required?: boolean
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

export interface Operation {
  /** Unique among all services whose documents are merged. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: ApiRequestBody
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<Record<string, ApiResponse>>
}

/** The methods of one path. HEAD is not described: it answers as GET does, without the body. */
export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>

/** By path template. */
export type Paths = Readonly<Record<string, PathItem>>

/** The version of the HTTP interfaces, which shows only in the description (decisions 1.73). */
export const API_VERSION = '1.0.0'

/** The part of OpenAPI 3.1 that services here use. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  /** Empty: an operation that needs a token says so itself. */
  readonly security: readonly []
  readonly paths: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  }
}
