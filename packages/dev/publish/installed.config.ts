import { fileURLToPath } from 'node:url'
import { TestReporter } from '@taproom/testkit/report'
import { defineConfig } from 'vitest/config'

/** Tests of the packed packages: they build all of them and ask a registry for what these depend on, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['installed/**/*.test.ts'],
    globalSetup: ['installed/global-setup.ts'],
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: [
      'default',
      new TestReporter({ root: fileURLToPath(new URL('../../..', import.meta.url)), file: 'installed-report.json' }),
    ],
  },
})
