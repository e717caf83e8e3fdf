import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** One test configuration for every workspace; the JSON report is what CI counts. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: existsSync('tests/global-setup.ts') ? ['tests/global-setup.ts'] : [],
    passWithNoTests: true,
    // Longer than any wait inside a test, which says what did not come: no test judges how busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    // So that the output is a line for each file: tests that open ports and start processes would all be listed as slow.
    slowTestThreshold: 5000,
    // The default, but said: vitest advises against it in every workspace otherwise.
    isolate: true,
    // Node runs the sources as they are, as it does in production and under `pnpm start`: nothing is transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=development'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-report.json' },
  },
})
