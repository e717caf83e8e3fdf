import type { TestProject } from 'vitest/node'
import { startSystem } from './fixtures/system.ts'

/** Starts the one system of all `x.system.test.ts`, and ends it after them. */
export async function setup(project: TestProject): Promise<() => PromiseLike<void>> {
  const { [Symbol.asyncDispose]: stop, ...system } = await startSystem({
    // The system's processes record the modules that they load, as the workers do.
    ...project.config.env,
    // Short times: tests see sinks fall asleep, and failures come and go quickly.
    ...{ SCALE_TO_ZERO_IDLE_MS: '3000', FILM_RETRY_MAX_RETRIES: '0', FILM_CIRCUIT_BREAKER_DELAY_MS: '200' },
  })
  project.provide('system', system)
  return stop
}
