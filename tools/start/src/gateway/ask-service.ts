import { get, type IncomingMessage } from 'node:http'
import { JsonError, parseJson } from '@taproom/core/limits'
import { readBody } from '@taproom/http'

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
  return async (service, path) => {
    const port = portOf(service)
    if (port === undefined) throw new Error(restartOf?.(service) === undefined ? 'not running' : 'restarting')
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, signal }, resolve).once('error', reject)
      })
      const body = await readBody(response, MAX_REPORT_BYTES)
      if (body === undefined) throw new Error('the report is too long')
      return parseReport(body.toString(), response.statusCode)
    } catch (error) {
      if (signal.aborted) throw new Error(`no answer within ${timeoutMs} ms`)
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw new Error('not reachable')
      throw error
    }
  }
}

function parseReport(text: string, status: number | undefined): object {
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
