import { fileURLToPath } from 'node:url'
import { TestReporter } from '@taproom/testkit/report'
import { defineConfig } from 'vitest/config'

/** Tests of running containers: they need a Docker engine and the images of `pnpm images`, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['containers/**/*.test.ts'],
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: [
      'default',
      new TestReporter({ root: fileURLToPath(new URL('../../..', import.meta.url)), file: 'test-report.json' }),
    ],
  },
})
