import { defineConfig } from 'vitest/config'

/** Tests of running containers: they need a Docker engine and the images of `pnpm images`, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['containers/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-report.json' },
  },
})
