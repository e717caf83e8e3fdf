import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const FILES = ['src/**/*.test.ts', 'tests/**/*.test.ts']
/** Those that count what V8 executes: only code that is compiled in their process, and not before, can be counted. */
const COUNTING = '{src,tests}/**/*-steps.test.ts'

const shared = {
  globalSetup: existsSync('tests/global-setup.ts') ? ['tests/global-setup.ts'] : [],
  include: FILES,
  exclude: ['**/node_modules/**', COUNTING],
  // One process runs file after file, and loads once what they share. They leave it as they found it: nothing here is global state.
  isolate: false,
  // For the workers, and the processes that tests start from sources: each loads hundreds of files that the last one has compiled.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests') },
}
const counting = { name: 'steps', include: [COUNTING], isolate: true, env: { NODE_COMPILE_CACHE: '' } }
const projects = [{ ...shared, name: 'others' }, counting].map((test) => ({ extends: true as const, test }))

/** One test configuration for every workspace; the JSON report is what CI counts. */
export default defineConfig({
  test: {
    passWithNoTests: true,
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come (`waitFor` of packages/dev/testkit).
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    // So that the one line of a failed test tells what was found.
    chaiConfig: { truncateThreshold: 400 },
    // For packages that testkit needs itself; the others use its `eventually`. As long as its longest wait.
    expect: { poll: { timeout: 600_000 } },
    // So that the output is a line for each file: tests that open ports and start processes would all be listed as slow.
    slowTestThreshold: 5000,
    // Node runs the sources as they are, as it does in production and under `pnpm start`: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=development'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-report.json' },
    ...(globSync(COUNTING).length > 0 ? { projects } : shared),
  },
})
