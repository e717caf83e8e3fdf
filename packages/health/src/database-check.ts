import type { HealthCheck } from '@taproom/core/health'
import { reasonOf, rootCause } from '@taproom/core/lines'

/**
 * The readiness check of all data sources of a service. The function of each resolves when the database answers. `data` has one entry for
 * each: `UP`, or why it failed. As in Quarkus, the unnamed data source is called `<default>`.
 */
export function databaseCheck(
  dataSources: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>,
): HealthCheck {
  const sources = Object.entries(dataSources)
  return {
    name: 'Database connections health check',
    async check(signal) {
      const results = await Promise.all(
        sources.map(async ([name, validate]) => [name, await outcome(validate, signal)] as const),
      )
      const status = results.every(([, result]) => result === 'UP') ? 'UP' : 'DOWN'
      return { status, data: Object.fromEntries(results) }
    },
  }
}

async function outcome(validate: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<string> {
  try {
    await Promise.race([validate(signal), aborted(signal)])
    return 'UP'
  } catch (error) {
    return `Unable to execute the validation check: ${reasonOf(rootCause(error))}`
  }
}

/** Rejects when the limit is reached, so that the data shows which data source did not answer. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
