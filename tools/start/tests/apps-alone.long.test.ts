import { describe, it } from 'vitest'
import { APPS, startAlone } from './fixtures/alone.ts'

describe('README: every app starts alone', () => {
  it.concurrent.each(APPS)('pnpm --filter ./apps/%s start', (app) => startAlone(app))
})
