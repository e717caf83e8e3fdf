import type { ShownStatus } from '@taproom/start/control'
import { expect, it } from 'vitest'
import { createSystemWatch } from './system-watch.ts'

function useCpu(ms: number): void {
  const before = process.cpuUsage()
  // Asked seldom: to ask takes longer than to count.
  while (process.cpuUsage(before).user < ms * 1000) for (let count = 0; count < 1e5; count += 1);
}

it('tells what a process used since a sample that is not too close', async () => {
  const clock = { ms: 0 }
  const status: ShownStatus = {
    ...{ name: 'self', pid: process.pid, port: undefined, startedAt: undefined },
    ...{ crashes: 0, restarts: 0, failing: [] },
    kind: 'app',
    state: 'ready',
  }
  const watch = createSystemWatch({ services: async () => [status], follow: async () => undefined }, {}, () => clock.ms)
  const cpuAt = async (ms: number) => {
    clock.ms = ms
    const [self] = await watch.services(0)
    useCpu(40)
    return self?.cpu
  }
  expect(await cpuAt(1)).toBeUndefined()
  expect(await cpuAt(10_001)).toBeGreaterThan(0)
  // A part of one core; between the last two samples it would be thousands.
  expect(await cpuAt(10_002)).toBeLessThan(5)
  expect(await cpuAt(10_501)).toBeGreaterThan(0.1)
})
