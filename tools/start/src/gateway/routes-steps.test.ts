import { startStepCounter } from '@taproom/testkit'
import { expect, it } from 'vitest'

const steps = await startStepCounter()
const { findRoute } = await import('./routes.ts')
const options = {
  paths: { '/movie/*': 'movie-api', '/beer/*': 'beer-stream' },
  healthRootPath: '/q/health',
  hasPages: true,
}

it('a path of 15,000 slashes is looked up in as few steps as a short one', async () => {
  const short = await steps.count(() => findRoute('localhost', '/beer/stock', options))
  const long = await steps.count(() => findRoute('localhost', `/beer${'/'.repeat(15_000)}`, options))
  expect(short).toBeGreaterThan(0)
  expect(long).toBeLessThanOrEqual(short + 5)
})
