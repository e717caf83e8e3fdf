import { JsonError, parseJson } from '@taproom/core/limits'
import { HttpClient } from '@taproom/http'

/**
 * GETs the JSON object at a path of a service on this machine.
 *
 * @throws {Error} when there is none, saying why in a few words
 */
export type AskService = (service: string, path: string) => Promise<object>

export interface AskOptions {
  /** The port of a service; undefined while it doesn't run. */
  portOf(service: string): number | undefined
  /** Not undefined while a service is being restarted. Default: never. */
  restartOf?(service: string): Promise<void> | undefined
  /** Default 2500 ms: longer than the service's own checks, whose limit is 2000 ms. */
  readonly timeoutMs?: number | undefined
}

const MAX_REPORT_BYTES = 1_048_576

export function askService({ portOf, restartOf, timeoutMs = 2500 }: AskOptions): AskService {
  const client = new HttpClient()
  return async (service, path) => {
    const port = portOf(service)
    if (port === undefined) throw new Error(restartOf?.(service) === undefined ? 'not running' : 'restarting')
    const url = `http://127.0.0.1:${port}`
    try {
      const asked = { url, path, timeoutMs, limitBytes: MAX_REPORT_BYTES, isRepeatable: true }
      const { status, body } = await client.request({ method: 'GET', ...asked })
      if (body.brokenBy !== undefined) throw body.brokenBy
      if (body.isCut) throw new Error('the report is too long')
      return parseReport(body.bytes.toString(), status)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw new Error('not reachable')
      throw error
    }
  }
}

function parseReport(text: string, status: number): object {
  if (status !== 200 && status !== 503) throw new Error(`the report has status ${status}`)
  let report: unknown
  try {
    report = parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    if (error.code !== 'JSON_INVALID') throw new Error(`the report can't be read: ${error.message}`)
  }
  if (typeof report !== 'object' || report === null) throw new Error('the report is no JSON object')
  return report
}
