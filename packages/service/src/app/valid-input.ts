import type { StandardSchemaV1 } from '@standard-schema/spec'
import { LIMITS } from '@taproom/core/limits'
import { visible } from '@taproom/core/lines'
import type { Request } from 'express'
import { HttpProblem } from './problem.ts'

const MAX_ERRORS = 20
const MAX_DETAIL = 300
const MAX_POINTER = 300

/** One entry of `errors` in a problem. */
export interface InputError {
  /** JSON pointer into the body, as a fragment (RFC 6901, 6). One that would be too long ends at a parent. */
  readonly pointer?: string
  /** Name of a parameter of the query or the path. */
  readonly parameter?: string
  readonly detail: string
}

/**
 * The body that `express.json` read, as the schema gives it: of zod, or any other library that implements Standard Schema.
 *
 * @throws {HttpProblem} 400 with `errors: [{ pointer: '#/name', detail }]`, also for more than 500 levels; 415 for a body that is not
 *   `application/json`
 * @throws {TypeError} when `express.json` has not read the body, or the schema is asynchronous or throws
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
    const type = req.is('application/json')
    if (type === false) throw new HttpProblem(415, { detail: 'expected application/json' })
    if (type !== null) throw new TypeError('the body was not read: express.json is missing before validBody')
    throw invalidInput('body', [{ pointer: '#', detail: 'expected a body of JSON' }])
  }
  return validJson('body', req.body, schema)
}

/**
 * A value that was read from JSON, as the schema gives it. `what` names it in the problem: `the body is invalid`.
 *
 * @throws {HttpProblem} 400 with `errors: [{ pointer: '#/name', detail }]`, also for more than 500 levels
 * @throws {TypeError} when the schema is asynchronous or throws
 */
export function validJson<S extends StandardSchemaV1>(
  what: string,
  value: unknown,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  if (isTooDeep(value))
    throw invalidInput(what, [{ pointer: '#', detail: `expected at most ${LIMITS.jsonDepth} levels` }])
  return valid(what, schema, value, (path, detail) => ({ pointer: pointerTo(path), detail }))
}

/**
 * The parameters of the query: texts, or lists of texts where one is repeated. Schemas convert them, as `z.coerce.number()` does; one for a
 * list takes a text, too, as `z.union([z.string(), z.array(z.string())])` does.
 *
 * @throws {HttpProblem} 400 with `errors: [{ parameter: 'limit', detail }]`
 * @throws {TypeError} when the schema is asynchronous or throws
 */
export function validQuery<S extends StandardSchemaV1>(
  req: Pick<Request, 'query'>,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  return valid('query', schema, req.query, parameterError)
}

/**
 * The parameters of the path, which are texts; a wildcard is a list of them.
 *
 * @throws {HttpProblem} 400 with `errors: [{ parameter: 'id', detail }]`
 * @throws {TypeError} when the schema is asynchronous or throws
 */
export function validParams<S extends StandardSchemaV1>(
  req: Pick<Request, 'params'>,
  schema: S,
): StandardSchemaV1.InferOutput<S> {
  return valid('path', schema, req.params, parameterError)
}

/**
 * The problem of input that breaks a rule: 400, `the body is invalid: see errors` for the `what` `body`, with `errors` as its member.
 *
 * @example
 * throw invalidInput('body', [{ pointer: '#/beer', detail: 'expected a beer of the menu' }])
 */
export function invalidInput(what: string, errors: readonly InputError[]): HttpProblem {
  return new HttpProblem(400, { detail: `the ${what} is invalid: see errors`, members: { errors } })
}

type Path = readonly string[]

function valid<S extends StandardSchemaV1>(
  what: string,
  schema: S,
  value: unknown,
  errorAt: (path: Path, detail: string) => InputError,
): StandardSchemaV1.InferOutput<S> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    // A rejection without a handler would end the process. zod gives such a promise when a transform throws.
    result.catch(() => {})
    throw new TypeError('the schema is asynchronous, or a transform of it throws: ask what takes time in the handler')
  }
  if (result.issues === undefined) return result.value
  const errors = result.issues
    .slice(0, MAX_ERRORS)
    .map(({ path = [], message }) => errorAt(path.map(nameOf), visible(message, MAX_DETAIL)))
  throw invalidInput(what, errors)
}

function nameOf(segment: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}

function parameterError([parameter]: Path, detail: string): InputError {
  return parameter === undefined ? { detail } : { parameter, detail }
}

function pointerTo(path: Path): string {
  let pointer = '#'
  for (const name of path) {
    const next = `${pointer}/${encodeURIComponent(escaped(name).toWellFormed())}`
    if (next.length > MAX_POINTER) break
    pointer = next
  }
  return pointer
}

/** RFC 6901, 3. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Recursive schemas would overflow the stack. */
function isTooDeep(body: unknown): boolean {
  let level = [body].filter(isParent)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > LIMITS.jsonDepth) return true
    level = level.flatMap((parent) => Object.values(parent).filter(isParent))
  }
  return false
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
