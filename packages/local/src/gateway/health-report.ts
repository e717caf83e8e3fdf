import { type Agent, get, type IncomingMessage } from 'node:http'
import type { CheckReport, HealthReport } from '@taproom/health'

/** A service as the gateway sees it. */
export interface ServiceAddress {
  readonly name: string
  /** Undefined while the service doesn't run. */
  readonly port: number | undefined
}

/** Options of {@link systemHealth}. */
export interface SystemHealthOptions {
  readonly services: readonly ServiceAddress[]
  /** Path of the report at each service, such as `/q/health/ready`. */
  readonly path: string
  /** How long a service may take: longer than its own checks, whose limit is 2000 ms. Default 2500 ms. */
  readonly timeoutMs?: number
  readonly agent?: Agent
}

const maxReportBytes = 1_048_576

/**
 * The health of all services together: every service's checks as it reports them, then one check for each service, named after it,
 * whose data are the states of its checks, or `error` when it can't be asked.
 */
export async function systemHealth(options: SystemHealthOptions): Promise<HealthReport> {
  const reports = await Promise.all(options.services.map((service) => serviceHealth(service, options)))
  const checks = [...reports.flatMap(({ checks }) => checks), ...reports.map(({ summary }) => summary)]
  return { status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN', checks }
}

interface ServiceHealth {
  readonly checks: readonly CheckReport[]
  readonly summary: CheckReport
}

async function serviceHealth(service: ServiceAddress, options: SystemHealthOptions): Promise<ServiceHealth> {
  try {
    const { status, checks } = await fetchReport(service, options)
    const data = Object.fromEntries(checks.map((check) => [check.name, check.status]))
    return { checks, summary: { name: service.name, status, ...(checks.length > 0 && { data }) } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { checks: [], summary: { name: service.name, status: 'DOWN', data: { error: reason } } }
  }
}

async function fetchReport({ port }: ServiceAddress, options: SystemHealthOptions): Promise<HealthReport> {
  if (port === undefined) throw new Error('not running')
  const { path, timeoutMs = 2500, agent } = options
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, signal, agent }, resolve).once('error', reject)
    })
    return parseReport(await readText(response), response.statusCode)
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer within ${timeoutMs} ms`)
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw new Error('not reachable')
    throw error
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxReportBytes) throw new Error('the report is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseReport(text: string, status: number | undefined): HealthReport {
  if (status !== 200 && status !== 503) throw new Error(`the report has status ${status}`)
  const report = parseJson(text)
  if (report === undefined || (report.status !== 'UP' && report.status !== 'DOWN') || !Array.isArray(report.checks)) {
    throw new Error('the report is no health report')
  }
  return { status: report.status, checks: report.checks }
}

function parseJson(text: string): Partial<HealthReport> | undefined {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    // Told as what it is not.
    return undefined
  }
}
