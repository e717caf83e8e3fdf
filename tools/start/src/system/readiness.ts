import { reasonOf } from '@taproom/core/lines'
import { pause } from '@taproom/core/time'
import type { CheckReport, HealthReport } from '@taproom/health'
import type { Failing } from '../control/control-answers.ts'
import type { AskService } from '../gateway/ask-service.ts'
import { explainDown } from './kafka-down.ts'

const READINESS_MS = 5000
const ASKED_EACH_MS = 50

/** Readiness checks that are DOWN, by service. A service that gives no report has one of its own name. */
export type AskFailing = (names: readonly string[]) => Promise<Failing>

/** Asks those of `services` that are named; `path` is that of a readiness report. */
export function askFailing(services: readonly string[], path: string, ask: AskService): AskFailing {
  const failingOf = async (name: string): Promise<readonly CheckReport[]> => {
    try {
      const { status, checks } = (await ask(name, path)) as Partial<HealthReport>
      if ((status !== 'UP' && status !== 'DOWN') || !Array.isArray(checks))
        throw new Error('the report is no health report')
      const down = checks.filter((check: CheckReport) => check.status === 'DOWN')
      return status === 'DOWN' && down.length === 0 ? [{ name, status }] : down
    } catch (error) {
      return [{ name, status: 'DOWN', data: { error: reasonOf(error) } }]
    }
  }
  return async (names) => {
    const asked = services.filter((name) => names.includes(name))
    const found = await Promise.all(asked.map(async (name) => [name, await failingOf(name)] as const))
    return Object.fromEntries(found.filter(([, failing]) => failing.length > 0))
  }
}

/** Names of services that are not ready, and of their checks that are DOWN. */
function namesOf(failing: Failing): readonly string[] {
  return [...new Set(Object.entries(failing).flatMap(([name, checks]) => [...checks.map((check) => check.name), name]))]
}

/** Names of services and checks that are DOWN, and one sentence about Kafka in place of those that wait for it. */
export async function downTexts(failing: Failing, bootstrapServers: string | undefined): Promise<readonly string[]> {
  const { kafka, failing: others } = await explainDown(failing, bootstrapServers)
  return [...(kafka === undefined ? [] : [kafka]), ...namesOf(others)]
}

/** Waits up to `READINESS_MS` until every readiness check has been UP; gives those that are still DOWN. */
export async function waitUntilReady(
  stop: AbortSignal,
  ask: AskFailing,
  services: readonly string[],
): Promise<Failing> {
  const deadline = performance.now() + READINESS_MS
  for (let asked = services; ; ) {
    if (stop.aborted) return {}
    const failing = await ask(asked)
    asked = Object.keys(failing)
    if (asked.length === 0 || performance.now() >= deadline) return failing
    await pause(ASKED_EACH_MS)
  }
}
