import {
  describeApi,
  type HealthPathOptions,
  type JsonSchema,
  type OpenApiDocument,
  problemResponse,
  retryAfter,
  schemaRef,
} from '@taproom/openapi'
import type { Movie } from './film.ts'
import { YEARS } from './year.ts'

const text: JsonSchema = { type: 'string' }

const fields: Readonly<Record<keyof Movie, JsonSchema>> = {
  title: text,
  releaseDate: { type: 'string', format: 'date' },
  episodeId: { type: 'integer', description: 'From the remote film service; 0 when it could not be asked.' },
  producer: { ...text, description: 'From the remote film service; empty when it could not be asked.' },
  director: { ...text, description: 'From the remote film service; empty when it could not be asked.' },
  opening_crawl: {
    ...text,
    description: 'From the remote film service, may hold line breaks; empty when it could not be asked.',
  },
}

/** As `GET /movie` answers it. */
const filmSchema: JsonSchema = {
  type: 'object',
  description: 'A film: title and date from the database, the rest from the remote film service.',
  required: Object.keys(fields),
  additionalProperties: false,
  properties: fields,
}

export function describeMovieApi(health: HealthPathOptions): OpenApiDocument {
  return describeApi({
    title: 'movie-api',
    description: 'Films from the database, enriched by a remote film service behind fault tolerance policies.',
    schemas: { Film: filmSchema },
    health,
    paths: {
      '/movie': {
        get: {
          operationId: 'movies',
          summary: 'The films of a year, or all',
          tags: ['films'],
          parameters: [
            {
              name: 'year',
              in: 'query',
              description: 'Year of the release date.',
              schema: { type: 'integer', format: 'int32', minimum: YEARS.min, maximum: YEARS.max },
            },
          ],
          responses: {
            '200': {
              description: 'The films in the order of the database; none is `[]`.',
              content: { 'application/json': { schema: { type: 'array', items: schemaRef('Film') } } },
            },
            '400': problemResponse('`year` is empty, no 32-bit integer, or given twice.'),
            '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
            '502': problemResponse('Without the fallback: the film service was not reached, or gave a bad answer.'),
            '503': problemResponse(
              'The database is away; or, without the fallback, the film service is not asked: its circuit is open, or too many calls are under way.',
              retryAfter(),
            ),
            '504': problemResponse('Without the fallback: the film service did not answer in time.'),
          },
        },
      },
    },
  })
}
