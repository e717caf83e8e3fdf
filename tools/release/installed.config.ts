import { defineConfig } from 'vitest/config'
// @boundaries-ignore the configuration of tests is the root's, and no package's
import { reporter } from '../../vitest.config.ts'

/** Tests of the packed packages: they build all of them and ask a registry for what these depend on, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['installed/**/*.test.ts'],
    globalSetup: ['installed/global-setup.ts'],
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['default', reporter('installed-report.json')],
  },
})
