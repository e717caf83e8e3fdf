import { beerSchema, pricedBeerSchema } from '@taproom/beer'
import {
  describeApi,
  type HealthPathOptions,
  type OpenApiDocument,
  type Operation,
  problemResponse,
  retryAfter,
  schemaRef,
} from '@taproom/openapi'

const stream: Operation = {
  operationId: 'pricedBeers',
  summary: 'Priced beers as they come',
  description:
    'Server-sent events. Each is a `message` with an id whose data is a PricedBeer; a stream that fails ends with an event `stream-error` whose data is a Problem.',
  tags: ['beers'],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The id after which to resume; with an unknown one the stream starts live.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    '200': {
      description: 'The stream; the schema is that of the data of one message.',
      content: { 'text/event-stream': { schema: schemaRef('PricedBeer') } },
    },
    '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
    '503': problemResponse('No further streams are opened now.', retryAfter()),
  },
}

const beers = { type: 'array', items: schemaRef('Beer') }

const list: Operation = {
  operationId: 'strongBeers',
  summary: 'The beers above 15.0 per cent',
  description: 'Sent as the pages of the beer service arrive. A list that can not be completed is broken off.',
  tags: ['beers'],
  responses: {
    '200': {
      description: 'The beers; NDJSON for a client that prefers it.',
      content: { 'application/json': { schema: beers }, 'application/x-ndjson': { schema: beers } },
    },
    '500': problemResponse('Something went wrong here; `id` finds it in the log.'),
    '502': problemResponse('The beer service was not reached, or gave no usable list.'),
    '503': problemResponse('The beer service is overloaded.', retryAfter()),
    '504': problemResponse('The beer service did not answer in time.'),
  },
}

export function describeBeerStream(health: HealthPathOptions): OpenApiDocument {
  return describeApi({
    title: 'beer-stream',
    description: 'Priced beers as server-sent events, and the strong beers as a list.',
    schemas: { Beer: beerSchema, PricedBeer: pricedBeerSchema },
    health,
    paths: { '/beer': { get: stream }, '/beer/all': { get: list } },
  })
}
