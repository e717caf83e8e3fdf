import { API_VERSION, type JsonSchema, type OpenApiDocument, type Paths } from './document.ts'
import { type HealthPathOptions, healthPaths, ownPaths } from './management-paths.ts'
import { healthReportSchema, problemSchema } from './schemas.ts'

/** What a service says about itself. */
export interface ApiDescription {
  readonly title: string
  readonly description: string
  /** The paths of the service's own; those of health, metrics and the description are added. */
  readonly paths: Paths
  /** By name, for `schemaRef`; `Problem` and `HealthReport` are there already. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  readonly health?: HealthPathOptions
}

/** Makes the OpenAPI 3.1 document of a service: its own paths, and the ones that every service has. */
export function describeApi(api: ApiDescription): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: api.title, version: API_VERSION, description: api.description },
    servers: [{ url: '/' }],
    paths: { ...api.paths, ...healthPaths(api.health), ...ownPaths },
    components: {
      schemas: { ...api.schemas, Problem: problemSchema, HealthReport: healthReportSchema },
      ...(api.securitySchemes && { securitySchemes: api.securitySchemes }),
    },
  }
}
