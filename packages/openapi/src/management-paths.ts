import { type CheckKind, MANAGEMENT_PATHS } from '@taproom/http'
import type { ApiResponse, Operation, PathItem, Paths } from './document.ts'
import { problemResponse } from './responses.ts'
import { schemaRef } from './schemas.ts'

export interface HealthPathOptions {
  /** Default `/q/health`. */
  readonly rootPath?: string
  /** Whether the page is served at `/q/health-ui/`. Default false. */
  readonly ui?: boolean
}

const TAGS = ['management']
const report = (description: string): ApiResponse => ({
  description,
  content: { 'application/json': { schema: schemaRef('HealthReport') } },
})
const REPORTS = { '200': report('Every check is UP.'), '503': report('A check is DOWN.') }
const TEXT = { schema: { type: 'string' } }
const DESCRIPTION = { schema: { type: 'object' } }
const get = (operation: Omit<Operation, 'tags'>): PathItem => ({ get: { ...operation, tags: TAGS } })

/** The paths that \@taproom/health serves. */
export function healthPaths({ rootPath = MANAGEMENT_PATHS.health, ui = false }: HealthPathOptions = {}): Paths {
  const root = rootPath.replace(/\/$/, '')
  const kinds: Record<CheckKind, string> = {
    live: 'liveness',
    ready: 'readiness',
    started: 'startup',
    well: 'wellness',
  }
  const group = { name: 'name', in: 'path', description: 'Name of the group.', required: true } as const
  return {
    [root || '/']: get({ operationId: 'health', summary: 'All health checks', responses: REPORTS }),
    ...Object.fromEntries(
      Object.entries(kinds).map(([path, kind]) => [
        `${root}/${path}`,
        get({ operationId: `health-${path}`, summary: `The ${kind} checks`, responses: REPORTS }),
      ]),
    ),
    [`${root}/group/{name}`]: get({
      operationId: 'health-group',
      summary: 'The checks of a group',
      parameters: [{ ...group, schema: { type: 'string' } }],
      responses: { ...REPORTS, '404': problemResponse('There is no such group.') },
    }),
    ...(ui && {
      [MANAGEMENT_PATHS.healthPage]: get({
        operationId: 'health-page',
        summary: 'The health page, in development only',
        responses: { '200': { description: 'A page that shows all checks.', content: { 'text/html': TEXT } } },
      }),
    }),
  }
}

/** The paths of metrics and of the description itself. */
export const OWN_PATHS: Paths = {
  [MANAGEMENT_PATHS.metrics]: get({
    operationId: 'metrics',
    summary: 'Metrics of the service and its process',
    responses: { '200': { description: 'Prometheus’ text format.', content: { 'text/plain': TEXT } } },
  }),
  [MANAGEMENT_PATHS.openApi]: get({
    operationId: 'openapi',
    summary: 'This description',
    parameters: [
      {
        name: 'format',
        in: 'query',
        description: 'json for JSON.',
        schema: { type: 'string', enum: ['json', 'yaml'] },
      },
    ],
    responses: {
      '200': {
        description: 'YAML; JSON for a client that asks for it.',
        content: { 'application/yaml': DESCRIPTION, 'application/json': DESCRIPTION },
      },
    },
  }),
}
