import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/{src,tests}/**/*.test.ts'],
    // Longer than any wait inside a test, which says what did not come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
