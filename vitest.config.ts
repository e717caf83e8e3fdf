import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { TestReporter } from './packages/dev/testkit/src/report/reporter.ts'
import { TEST_REPORT } from './packages/dev/testkit/src/report/test-report.ts'

/** Tests that `pnpm test` leaves to `pnpm test:long`. */
export const LONG = '{src,tests}/**/*.long.test.ts'
const FILES = '{src,tests}/**/*.test.ts'
/** Tests that count what V8 executes: only code that their own process compiles can be counted. */
const COUNTING = '{src,tests}/**/*-steps.test.ts'

/** The one configuration of all workspaces' tests. `report` is the file, in the workspace, for the counts. */
export function configuration(tests: { include: string; exclude: string[] }, report: string): ViteUserConfig {
  const { include, exclude } = tests
  const shared = {
    globalSetup: existsSync('tests/global-setup.ts') ? ['tests/global-setup.ts'] : [],
    include: [include],
    exclude: ['**/node_modules/**', COUNTING, ...exclude],
    // One process runs file after file and loads shared modules once. A test leaves the process as it found it.
    isolate: false,
    // The workers, and the processes that tests start from sources, share compiled code.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests') },
  }
  const counting = { name: 'steps', include: [COUNTING], isolate: true, env: { NODE_COMPILE_CACHE: '' } }
  const projects = [{ ...shared, name: 'others' }, counting].map((test) => ({ extends: true as const, test }))
  return defineConfig({
    test: {
      passWithNoTests: true,
      // Longer than any wait inside a test, which says what did not come: no test judges how busy the machine is.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // The one line of a failed test shows the whole value.
      chaiConfig: { truncateThreshold: 400 },
      expect: { poll: { timeout: 90_000 } },
      // One line for each file: otherwise all tests that open ports and start processes are listed as slow.
      slowTestThreshold: 5000,
      // Node runs the sources as they are, as in production and under `pnpm start`: nothing is transformed.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: ['--conditions=development'],
      reporters: ['default', new TestReporter(import.meta.dirname, report)],
      ...(include === FILES && globSync(COUNTING).length > 0 ? { projects } : shared),
    },
  })
}

export default configuration({ include: FILES, exclude: [LONG] }, TEST_REPORT)
