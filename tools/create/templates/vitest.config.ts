import { globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const TESTS = '{src,tests}/**/*.test.ts'

export default defineConfig({
  test: {
    include: [`**/${TESTS}`],
    // While watching, vitest knows the imports of a test, and not those of the processes that the test starts.
    watchTriggerPatterns: [
      {
        pattern: /\/apps\/([^/]+)\/(?:src|tests)\/(?!.*\.test\.ts$)/,
        testsToRun: (_file, [, app = '']) => globSync(join(import.meta.dirname, 'apps', app, TESTS)),
      },
      {
        pattern: /\/(?:system\.ts|packages\/[^/]+\/src\/(?!.*\.test\.ts$).*)$/,
        testsToRun: () => globSync(`{.,apps/*,packages/*}/${TESTS}`),
      },
    ],
    // Longer than any wait inside a test, which says what did not come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
