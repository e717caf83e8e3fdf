import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { needTags } from './tools/testkit/src/report/needs.ts'
import { TestReporter } from './tools/testkit/src/report/reporter.ts'
import { reportFile, type TestKind } from './tools/testkit/src/report/test-report.ts'

const FILES: Readonly<Record<TestKind, string>> = {
  test: '{src,tests}/**/*.test.ts',
  'test:system': '{src,tests}/**/*.system.test.ts',
  'test:long': '{src,tests}/**/*.long.test.ts',
}
/** Files that a workspace may have, to be run before all tests of a kind. */
const SET_UP: Readonly<Record<TestKind, string>> = {
  test: 'tests/global-setup.ts',
  'test:system': 'tests/system-setup.ts',
  'test:long': 'tests/global-setup.ts',
}
const PROPERTY_SEED = join(import.meta.dirname, 'tools/testkit/src/report/property-seed.ts')
const HANGING_MS = 20 * 60_000
/** Tests that count what V8 executes: only code that their own process compiles can be counted. */
const COUNTING = '{src,tests}/**/*-steps.test.ts'

export interface ConfigurationOptions {
  /** Environment of the workers. */
  readonly env?: Readonly<Record<string, string>>
  /** Says what is wrong with a run whose tests have passed. */
  readonly check?: () => Promise<readonly string[]>
}

/** Writes a TestReport to a file in the folder of the workspace. */
export function reporter(file: string, check?: ConfigurationOptions['check']): TestReporter {
  return new TestReporter({ root: import.meta.dirname, file, ...(check && { check }) })
}

/** The one configuration of all workspaces' tests. */
export function configuration(kind: TestKind, own: ConfigurationOptions = {}): ViteUserConfig {
  const others = kind === 'test' ? [FILES['test:system'], FILES['test:long']] : []
  const shared = {
    globalSetup: [SET_UP[kind]].filter((file) => existsSync(file)),
    setupFiles: hasProperties() ? [PROPERTY_SEED] : [],
    include: [FILES[kind]],
    exclude: ['**/node_modules/**', COUNTING, ...others],
    // One process runs file after file and loads shared modules once. A test leaves the process as it found it.
    isolate: false,
    // The workers, and the processes that tests start from sources, share compiled code.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests'), ...own.env },
  }
  const counting = { name: 'steps', include: [COUNTING], isolate: true, env: { NODE_COMPILE_CACHE: '' } }
  const projects = [{ ...shared, name: 'others' }, counting].map((test) => ({ extends: true as const, test }))
  return defineConfig({
    test: {
      passWithNoTests: true,
      tags: needTags(),
      // The last resort against a test that hangs. Waits inside a test end by themselves when there is no progress, and say what did not come.
      testTimeout: HANGING_MS,
      hookTimeout: HANGING_MS,
      // The one line of a failed test shows the whole value.
      chaiConfig: { truncateThreshold: 400 },
      // For packages that testkit itself needs; the others use its `eventually`. As long as its longest wait.
      expect: { poll: { timeout: 600_000 } },
      // One line for each file: otherwise all tests that open ports and start processes are listed as slow.
      slowTestThreshold: 5000,
      // Node runs the sources as they are, as in production and under `pnpm start`: nothing is transformed.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: ['--conditions=development'],
      reporters: ['default', reporter(reportFile(kind), own.check)],
      ...(kind === 'test' && globSync(COUNTING).length > 0 ? { projects } : shared),
    },
  })
}

/** Whether the workspace has property tests. */
function hasProperties(): boolean {
  const { devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
  return 'fast-check' in devDependencies
}

export default configuration('test')
