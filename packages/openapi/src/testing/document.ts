export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
}

export interface ApiOperation {
  readonly operationId?: string
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema?: unknown }>>
  }
  readonly responses: Readonly<Record<string, ApiResponse>>
}

export interface ApiResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>
}

/** The template that matches a path; one without parameters comes before one with them. */
export function templateOf(paths: ApiDocument['paths'], path: string): string | undefined {
  if (Object.hasOwn(paths, path)) return path
  return Object.keys(paths).find((template) => template.includes('{') && pattern(template).test(path))
}

function pattern(template: string): RegExp {
  const literals = template.split(/\{[^}]*\}/).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${literals.join('[^/]+')}$`)
}

/** Encodes a name for a JSON pointer in a URI fragment (RFC 6901). */
export function pointerToken(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}
