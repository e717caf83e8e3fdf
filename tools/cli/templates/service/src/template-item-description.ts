import {
  describeApi,
  type HealthPathOptions,
  inputSchema,
  type OpenApiDocument,
  outputSchema,
  parametersOf,
  problemResponse,
  retryAfter,
  schemaRef,
} from '@taproom/openapi'
import { ROLE } from './config.ts'
import { idSchema, listSchema, newTemplateItemSchema, pageSchema, templateItemSchema } from './template-item-schema.ts'

// begin jwt
const challenge = {
  'WWW-Authenticate': {
    description: 'A Bearer challenge with the reason.',
    required: true,
    schema: { type: 'string' },
  },
}
const challengeOfRole = { 'WWW-Authenticate': { ...challenge['WWW-Authenticate'], required: false } }
// end

/** Each operation can answer these besides. */
const others = {
  '400': problemResponse('Something in the request is invalid: `errors` names it.'),
  // begin jwt
  '401': { description: 'No token, or one that is not accepted.', headers: challenge },
  '403': {
    description: `The token lacks the role ${ROLE}, or a scope that is needed; a problem where a route refuses by itself.`,
    headers: challengeOfRole,
    content: {
      'application/octet-stream': { schema: { const: 'Forbidden' } },
      'application/problem+json': { schema: schemaRef('Problem') },
    },
  },
  '429': problemResponse('Too many forged tokens to judge another one now.', retryAfter()),
  // end
  '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
  '503': problemResponse('Something that is needed is away.', retryAfter()),
}

const ofEach = {
  tags: ['template-app'],
  // begin jwt
  security: [{ token: [] }],
  // end
}

const json = (name: string) => ({ 'application/json': { schema: schemaRef(name) } })

export function describeTemplateItem(health: HealthPathOptions): OpenApiDocument {
  return describeApi({
    title: 'template-app',
    description: 'Adds, finds and lists: template-item.',
    // begin jwt
    securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    // end
    health,
    schemas: {
      NewTemplateItem: inputSchema(newTemplateItemSchema),
      TemplateItem: outputSchema(templateItemSchema),
      TemplateItemList: outputSchema(listSchema),
    },
    paths: {
      '/template-app': {
        get: {
          ...ofEach,
          operationId: 'listTemplateItem',
          summary: 'A page of the list, in the order of ids',
          parameters: parametersOf('query', pageSchema),
          responses: { '200': { description: 'A page.', content: json('TemplateItemList') }, ...others },
        },
        post: {
          ...ofEach,
          operationId: 'addTemplateItem',
          summary: 'Adds one',
          requestBody: { required: true, content: json('NewTemplateItem') },
          responses: {
            '201': {
              description: 'The template-item that was added.',
              headers: { Location: { description: 'Its address.', required: true, schema: { type: 'string' } } },
              content: json('TemplateItem'),
            },
            ...others,
            '409': problemResponse('Another one has this name.'),
            '413': problemResponse('The body is too large.'),
            '415': problemResponse('The body is not JSON in UTF-8.'),
          },
        },
      },
      '/template-app/{id}': {
        get: {
          ...ofEach,
          operationId: 'findTemplateItem',
          summary: 'One by its id',
          parameters: parametersOf('path', idSchema),
          responses: {
            '200': { description: 'The template-item.', content: json('TemplateItem') },
            ...others,
            '404': problemResponse('There is none of this id.'),
          },
        },
      },
    },
  })
}
