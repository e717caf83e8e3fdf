import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Request } from 'express'
import { HttpProblem } from './problem.ts'

const MAX_ERRORS = 20
const MAX_DETAIL = 300

/** One entry of `errors` in a problem. */
interface InputError {
  /** JSON pointer into the body, as a fragment (RFC 6901, 6). */
  readonly pointer?: string
  /** Name of a parameter of the query or the path. */
  readonly parameter?: string
  readonly detail: string
}

/**
 * The body that `express.json` read, as the schema gives it: of zod, or any other library that implements Standard Schema.
 *
 * @throws {HttpProblem} 400 with `errors: [{ pointer: '#/name', detail }]`, 415 for a body that is not `application/json`
 *
 * @example
 * routes.post('/orders', express.json({ limit: '16kb' }), async (req, res) => {
 *   sendJson(res, 201, await orders.add(validBody(req, newOrderSchema)))
 * })
 */
export function validBody<S extends StandardSchemaV1>(
  req: Pick<Request, 'body' | 'is'>,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  if (req.body === undefined) {
    if (req.is('application/json') === false) throw new HttpProblem(415, { detail: 'expected application/json' })
    throw invalid('body', [{ pointer: '#', detail: 'expected a body of JSON' }])
  }
  return valid('body', schema, req.body, (path, detail) => ({ pointer: pointerTo(path), detail }))
}

/**
 * The parameters of the query: texts, or lists of texts where one is repeated. Schemas convert them, as `z.coerce.number()` does.
 *
 * @throws {HttpProblem} 400 with `errors: [{ parameter: 'limit', detail }]`
 */
export function validQuery<S extends StandardSchemaV1>(
  req: Pick<Request, 'query'>,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  return valid('query', schema, req.query, parameterError)
}

/**
 * The parameters of the path, which are texts.
 *
 * @throws {HttpProblem} 400 with `errors: [{ parameter: 'id', detail }]`
 */
export function validParams<S extends StandardSchemaV1>(
  req: Pick<Request, 'params'>,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  return valid('path', schema, req.params, parameterError)
}

type Path = readonly string[]

function valid<S extends StandardSchemaV1>(
  what: string,
  schema: S,
  value: unknown,
  errorAt: (path: Path, detail: string) => InputError,
): StandardSchemaV1.InferOutput<S> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('the schema is asynchronous: ask what takes time in the handler')
  if (result.issues === undefined) return result.value
  const errors = result.issues
    .slice(0, MAX_ERRORS)
    .map(({ path = [], message }) => errorAt(path.map(nameOf), message.slice(0, MAX_DETAIL)))
  throw invalid(what, errors)
}

function invalid(what: string, errors: readonly InputError[]): HttpProblem {
  return new HttpProblem(400, { detail: `the ${what} is invalid: see errors`, members: { errors } })
}

function nameOf(segment: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}

function parameterError([parameter]: Path, detail: string): InputError {
  return parameter === undefined ? { detail } : { parameter, detail }
}

function pointerTo(path: Path): string {
  const tokens = path.map((name) => `/${encodeURIComponent(escaped(name).toWellFormed())}`)
  return `#${tokens.join('')}`
}

/** RFC 6901, 3. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
