import { parseJson } from '@taproom/core/limits'
import { createHttpGet } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { HealthView } from '../api/services.ts'
import { untraced } from '../traces/untraced.ts'

const HEALTH_REPORT = '/q/health-ui/report'
const HEALTH_MS = 10_000

export type ReadHealth = (signal?: AbortSignal) => Promise<HealthView>

/**
 * Reads the report of the gateway's health page.
 *
 * @throws {HttpProblem} 502 when the gateway answers anything but 200
 */
export function createHealthReader(gateway: string): ReadHealth {
  const get = createHttpGet({ Accept: 'application/json', ...untraced() })
  return async (signal) => {
    const limits = [AbortSignal.timeout(HEALTH_MS), ...(signal === undefined ? [] : [signal])]
    const { status, body } = await get(new URL(HEALTH_REPORT, gateway).href, AbortSignal.any(limits))
    if (status !== 200) throw new HttpProblem(502, { detail: `the gateway answered ${status} for ${HEALTH_REPORT}` })
    return parseJson(body) as HealthView
  }
}
