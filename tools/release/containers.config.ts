import { defineConfig } from 'vitest/config'
// @boundaries-ignore the configuration of tests is the root's, and no package's
import { reporter } from '../../vitest.config.ts'

/** Tests of running containers: they need a Docker engine and the images of `pnpm images`, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['containers/**/*.test.ts'],
    // Against a hang alone: the waits inside a test end by themselves, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    reporters: ['default', reporter('containers-report.json')],
  },
})
