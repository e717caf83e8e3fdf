import { defineConfig } from 'vitest/config'

/** Tests of the packed packages: they build all of them and ask a registry for what these depend on, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['installed/**/*.test.ts'],
    globalSetup: ['installed/global-setup.ts'],
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['default', 'json'],
    // Not that of the other tests, which CI runs at the same time.
    outputFile: { json: 'installed-report.json' },
  },
})
