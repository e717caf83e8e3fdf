import { type Agent, get, type IncomingMessage } from 'node:http'
import { readBody } from '@taproom/http'
import { JsonError, parseJson } from '@taproom/limits'

/** A service as the gateway sees it. */
export interface ServiceAddress {
  readonly name: string
  /** Undefined while the service doesn't run. */
  readonly port: number | undefined
}

export interface Question {
  readonly path: string
  /** Default 2500 ms: longer than the service's own checks, whose limit is 2000 ms. */
  readonly timeoutMs?: number
  readonly agent?: Agent
}

const MAX_REPORT_BYTES = 1_048_576

/**
 * GETs the JSON object at a path of a service on this machine.
 *
 * @throws {Error} when there is none, saying why in a few words
 */
export async function askService(service: ServiceAddress, question: Question): Promise<object> {
  const { path, timeoutMs = 2500, agent } = question
  const { port } = service
  if (port === undefined) throw new Error('not running')
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, signal, agent }, resolve).once('error', reject)
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

function parseReport(text: string, status: number | undefined): object {
  if (status !== 200 && status !== 503) throw new Error(`the report has status ${status}`)
  const report = jsonIn(text)
  if (typeof report !== 'object' || report === null) throw new Error('the report is no JSON object')
  return report
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    // Reported by the caller as "no JSON object".
    if (error.code === 'JSON_INVALID') return undefined
    throw new Error(`the report can't be read: ${error.message}`)
  }
}
