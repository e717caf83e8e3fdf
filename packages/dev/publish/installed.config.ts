import { defineConfig } from 'vitest/config'

/** Tests of the packed packages: they build all of them and ask a registry for what these depend on, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['installed/**/*.test.ts'],
    globalSetup: ['installed/global-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', 'json'],
    // Not that of the other tests, which CI runs at the same time.
    outputFile: { json: 'installed-report.json' },
  },
})
