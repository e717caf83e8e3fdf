import { isHeaderName } from '@taproom/http'
import type { EnvReader } from '../env/env-reader.ts'
import type { CorsOptions } from '../requests/cors.ts'

const SECONDS = { '': 1, S: 1, M: 60, H: 3600 } as const
const CREDENTIALS = 'HTTP_CORS_ACCESS_CONTROL_ALLOW_CREDENTIALS'
const EXPOSED = 'HTTP_CORS_EXPOSED_HEADERS'
const MAX_AGE = 'HTTP_CORS_ACCESS_CONTROL_MAX_AGE'

/** The variables of CORS, with Quarkus' names without `quarkus.`; undefined without origins. */
export function corsConfig(read: EnvReader): CorsOptions | undefined {
  const origins = read.list('HTTP_CORS_ORIGINS')
  for (const origin of origins) {
    if (origin !== '*' && !isOrigin(origin))
      read.problem(
        'HTTP_CORS_ORIGINS',
        `${JSON.stringify(origin.slice(0, 200))}: expected origins such as https://shop.example, or *`,
      )
  }
  const hasCredentials = read.boolean(CREDENTIALS, { default: false })
  if (hasCredentials && origins.includes('*'))
    read.problem(CREDENTIALS, 'is not possible with the origin *: name the origins')
  const exposedHeaders = names(read, EXPOSED)
  if (hasCredentials && exposedHeaders.includes('*')) read.problem(EXPOSED, `cannot be * with ${CREDENTIALS}`)
  const cors = {
    origins,
    methods: namesOrAny(read, 'HTTP_CORS_METHODS'),
    headers: namesOrAny(read, 'HTTP_CORS_HEADERS'),
    exposedHeaders,
    maxAgeSeconds:
      read.optionalString(MAX_AGE) === undefined
        ? undefined
        : read.custom(MAX_AGE, {
            expected: 'seconds, or a time such as 24H, 30M or 600S, of at most 30 days',
            parse: seconds,
          }),
    hasCredentials,
  }
  return origins.length > 0 ? cors : undefined
}

function names(read: EnvReader, variable: string): readonly string[] {
  const list = read.list(variable)
  const areNames = list.every((name) => name.length <= 200 && isHeaderName(name))
  if (list.length > 100 || !areNames) read.problem(variable, 'expected at most 100 names, comma separated')
  return list
}

/** `*` is any, as in Quarkus. Sent as it is it would not stand for `Authorization`, and with credentials for nothing. */
function namesOrAny(read: EnvReader, variable: string): readonly string[] {
  const list = names(read, variable)
  if (!list.includes('*')) return list
  if (list.length > 1) read.problem(variable, 'expected names, or * alone')
  return []
}

/** As browsers write it: lower case, no path, no default port. */
function isOrigin(text: string): boolean {
  const origin = URL.parse(text)?.origin
  return origin === text && origin !== 'null'
}

function seconds(text: string): number {
  const { count = '', unit = '' } = /^(?:PT)?(?<count>\d{1,7})(?<unit>[HMS]?)$/i.exec(text)?.groups ?? {}
  const total = Number(count) * SECONDS[unit.toUpperCase() as keyof typeof SECONDS]
  if (count === '' || total > 30 * 86_400) throw new RangeError('no time')
  return total
}
