import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** One test configuration for every workspace; the JSON report is what CI counts. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: existsSync('tests/global-setup.ts') ? ['tests/global-setup.ts'] : [],
    passWithNoTests: true,
    // A server in a container takes seconds to start, more on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-report.json' },
  },
})
