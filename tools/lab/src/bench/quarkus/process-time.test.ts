import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { cpuSeconds } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { processSeconds } from './process-time.ts'

/** Ends when the process has used so many microseconds. Asking costs more than counting, and most of it as system time. */
const BURN =
  'const { user } = process.cpuUsage(); while (process.cpuUsage().user < user + 200_000) for (let i = 0; i < 1e6; i++);'

it('counts what a thread has used that is no longer there', { tags: 'linux' }, async () => {
  const [before, livingBefore] = [processSeconds(process.pid), cpuSeconds(process.pid) ?? 0]
  await once(new Worker(BURN, { eval: true }), 'exit')
  const used = processSeconds(process.pid) - before
  const usedByLiving = (cpuSeconds(process.pid) ?? 0) - livingBefore
  expect(used - usedByLiving).toBeGreaterThan(0.1)
})
