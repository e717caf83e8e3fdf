import type { CheckReport, HealthReport, PageReport, ServiceReports } from '@taproom/health'
import { reasonOf } from '@taproom/lines'
import { askService, type Question, type ServiceAddress } from './ask-service.ts'

/** `path` is that of the report at each service, such as `/q/health/ready`. */
export interface SystemHealthOptions extends Question {
  readonly services: readonly ServiceAddress[]
}

/**
 * The health of all services: first every service's own checks, then one check per service, named after it, whose data are the states
 * of its checks, or `error` when it gives no report.
 */
export async function systemHealth(options: SystemHealthOptions): Promise<HealthReport> {
  const reports = await Promise.all(options.services.map((service) => serviceHealth(service, options)))
  const checks = [...reports.flatMap(({ checks }) => checks), ...reports.map(({ summary }) => summary)]
  return { status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN', checks }
}

/** The health page of all services: for each the reports of its own page, or why there are none. */
export async function systemPageReport(options: SystemHealthOptions): Promise<PageReport> {
  const reportsOf = async (service: ServiceAddress): Promise<ServiceReports> => {
    const { name } = service
    try {
      const { services } = (await askService(service, options)) as Partial<PageReport>
      const reports = services?.[0]?.reports
      if (reports === undefined) throw new Error('it has no page')
      return { name, reports }
    } catch (error) {
      return { name, error: reasonOf(error) }
    }
  }
  return { services: await Promise.all(options.services.map(reportsOf)) }
}

interface ServiceHealth {
  readonly checks: readonly CheckReport[]
  readonly summary: CheckReport
}

async function serviceHealth(service: ServiceAddress, question: Question): Promise<ServiceHealth> {
  try {
    const { status, checks } = healthReport(await askService(service, question))
    const data = Object.fromEntries(checks.map((check) => [check.name, check.status]))
    return { checks, summary: { name: service.name, status, ...(checks.length > 0 && { data }) } }
  } catch (error) {
    return { checks: [], summary: { name: service.name, status: 'DOWN', data: { error: reasonOf(error) } } }
  }
}

function healthReport({ status, checks }: Partial<HealthReport>): HealthReport {
  if ((status !== 'UP' && status !== 'DOWN') || !Array.isArray(checks)) {
    throw new Error('the report is no health report')
  }
  return { status, checks }
}
