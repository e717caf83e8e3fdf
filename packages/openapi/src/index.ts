export { type ApiDescription, describeApi } from './describe-api.ts'
export type {
  ApiParameter,
  ApiResponse,
  JsonSchema,
  OpenApiDocument,
  Operation,
  PathItem,
  Paths,
  ResponseHeader,
} from './document.ts'
export { type HealthPathOptions, healthPaths } from './management-paths.ts'
export { type MergeOptions, mergeDocuments } from './merge.ts'
export { type DescriptionRequest, descriptionPaths, type RenderedDescription, renderDescription } from './render.ts'
export { problemResponse, retryAfter } from './responses.ts'
export { openApiRoutes } from './routes.ts'
export { healthReportSchema, problemSchema, schemaRef } from './schemas.ts'
