import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { safeJson } from '@taproom/lines'
import { send } from './send.ts'

/** Answers with `application/problem+json` (RFC 9457). */
export function sendProblem(
  response: ServerResponse,
  status: number,
  detail: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail }
  send(response, status, { ...headers, 'Content-Type': 'application/problem+json' }, safeJson(JSON.stringify(problem)))
}
