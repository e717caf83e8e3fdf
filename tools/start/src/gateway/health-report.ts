import { reasonOf } from '@taproom/core/lines'
import type { CheckReport, HealthReport, PageReport, ServiceReports } from '@taproom/health'
import type { AskService } from './ask-service.ts'

/**
 * The health of services, by the report at a path of each, such as `/q/health/ready`: first every service's own checks, then one check per
 * service, named after it, whose data are the states of its checks, or `error` when it gives no report.
 */
export async function systemHealth(services: readonly string[], path: string, ask: AskService): Promise<HealthReport> {
  const reports = await Promise.all(services.map((name) => serviceHealth(name, path, ask)))
  const checks = [...reports.flatMap(({ checks }) => checks), ...reports.map(({ summary }) => summary)]
  return { status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN', checks }
}

/** The health page of services: for each the reports of its own page, or why there are none. */
export async function systemPageReport(
  services: readonly string[],
  path: string,
  ask: AskService,
): Promise<PageReport> {
  const reportsOf = async (name: string): Promise<ServiceReports> => {
    try {
      const page = (await ask(name, path)) as Partial<PageReport>
      const reports = page.services?.[0]?.reports
      if (reports === undefined) throw new Error('it has no page')
      return { name, reports }
    } catch (error) {
      return { name, error: reasonOf(error) }
    }
  }
  return { services: await Promise.all(services.map(reportsOf)) }
}

interface ServiceHealth {
  readonly checks: readonly CheckReport[]
  readonly summary: CheckReport
}

async function serviceHealth(name: string, path: string, ask: AskService): Promise<ServiceHealth> {
  try {
    const { status, checks } = (await ask(name, path)) as Partial<HealthReport>
    if ((status !== 'UP' && status !== 'DOWN') || !Array.isArray(checks)) {
      throw new Error('the report is no health report')
    }
    const data = Object.fromEntries(checks.map((check: CheckReport) => [check.name, check.status]))
    return { checks, summary: { name, status, ...(checks.length > 0 && { data }) } }
  } catch (error) {
    return { checks: [], summary: { name, status: 'DOWN', data: { error: reasonOf(error) } } }
  }
}
