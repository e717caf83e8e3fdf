import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { readJson } from '../http/body.ts'
import { type Field, oneOf, optional, readFields, text, texts } from '../http/fields.ts'
import type { Routes } from '../http/route.ts'
import { readOperations } from './operations.ts'
import type { TokenFor } from './tokens.ts'
import { type TryDeps, tryRequest } from './try-request.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_TEXT = 2 * 1024 * 1024
const MAX_PATH = 8000
const MAX_HEADER = 16_384
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
/** Requests of people under way; a stream may be open for hours. */
const MAX_REQUESTS = 32
const MAX_GROUPS = 100
const MAX_NAME = 200

const USER = text({ min: 1, max: MAX_NAME })
const GROUPS: Field<readonly string[]> = {
  expected: `a list of at most ${MAX_GROUPS} texts of at most ${MAX_NAME} characters`,
  read(value) {
    if (!Array.isArray(value) || value.length > MAX_GROUPS) return undefined
    return value.every((each) => typeof each === 'string' && each.length <= MAX_NAME) ? value : undefined
  },
}
const TOKEN_FOR: Field<TokenFor> = {
  expected: 'an object with user and groups',
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return readFields(value as Record<string, unknown>, { user: USER, groups: GROUPS })
  },
}

export function requestRoutes(deps: TryDeps): Routes {
  let underWay = 0
  return {
    async 'GET /api/operations'({ response, signal }) {
      sendJson(response, 200, { items: await readOperations(deps.gateway, signal) })
    },
    async 'POST /api/requests'(asked) {
      const { body, token, ...tried } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        method: oneOf(METHODS),
        path: text({ min: 1, max: MAX_PATH }),
        headers: texts({ max: MAX_HEADER, maxEntries: 100 }),
        body: optional(text({ max: MAX_TEXT })),
        token: optional(TOKEN_FOR),
      })
      if (underWay >= MAX_REQUESTS)
        throw new HttpProblem(429, { detail: `${MAX_REQUESTS} requests are running: at most so many are allowed` })
      underWay += 1
      try {
        const request = { ...tried, ...(body !== undefined && { body }), ...(token !== undefined && { token }) }
        await tryRequest(asked, request, deps)
      } finally {
        underWay -= 1
      }
    },
    async 'POST /api/tokens'(asked) {
      const whom = readFields(await readJson(asked, MAX_BODY_BYTES), { user: USER, groups: GROUPS })
      sendJson(asked.response, 200, { token: await deps.makeToken(whom) })
    },
  }
}
