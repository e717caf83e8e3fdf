import { API_VERSION, type JsonSchema, type OpenApiDocument, type Paths } from './document.ts'
import { type HealthPathOptions, healthPaths, OWN_PATHS } from './management-paths.ts'
import { HEALTH_REPORT_SCHEMA, PROBLEM_SCHEMA } from './schemas.ts'
import { withOwnReferences } from './standard-schemas.ts'

export interface ApiDescription {
  readonly title: string
  readonly description: string
  /** The service's own paths; those of health, metrics and the description are added. */
  readonly paths: Paths
  /** By name, for `schemaRef`; `Problem` and `HealthReport` are added. References of a schema to itself or to its `$defs` are adapted. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  readonly health?: HealthPathOptions
}

/** The OpenAPI 3.1 document of a service: its own paths, and those that every service has. */
export function describeApi(api: ApiDescription): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: api.title, version: API_VERSION, description: api.description },
    servers: [{ url: '/' }],
    security: [],
    paths: { ...api.paths, ...healthPaths(api.health), ...OWN_PATHS },
    components: {
      schemas: { ...withOwnReferences(api.schemas ?? {}), Problem: PROBLEM_SCHEMA, HealthReport: HEALTH_REPORT_SCHEMA },
      ...(api.securitySchemes && { securitySchemes: api.securitySchemes }),
    },
  }
}
