import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { parsePs, parseStat, readCpuTimes, secondsBetween, timesOfTree } from '../src/progress.ts'

describe('progress', () => {
  it('is the processor time of a process and all its descendants, and of no others', () => {
    const all = [
      { pid: 7, parent: 4, seconds: 1 },
      { pid: 4, parent: 3, seconds: 2 },
      { pid: 3, parent: 1, seconds: 3 },
      { pid: 9, parent: 1, seconds: 4 },
    ]
    expect([...timesOfTree(all, 3)]).toEqual([
      [3, 3],
      [4, 2],
      [7, 1],
    ])
  })

  it('counts those that came, and does not count backwards for those that went', () => {
    const before = new Map([
      [3, 3],
      [4, 20],
    ])
    expect(
      secondsBetween(
        before,
        new Map([
          [3, 4.5],
          [5, 0.25],
        ]),
      ),
    ).toBe(1.75)
    expect(secondsBetween(before, before)).toBe(0)
  })

  it('reads the stat file of Linux: own time and that of ended children, after a name of any kind', () => {
    const stat = '42 (a) S (b) S 7 42 42 0 -1 4194304 100 0 0 0 250 50 30 20 20 0 11 0 123 1000 200'
    expect(parseStat(stat)).toEqual({ pid: 42, parent: 7, seconds: 3.5 })
  })

  it('reads times of ps in each of their forms', () => {
    expect(
      parsePs('    1     0   0:01.50\n   42     1   1:02:03\n   43     1 2-00:00:01\n   44    42   1:00,25\n'),
    ).toEqual([
      { pid: 1, parent: 0, seconds: 1.5 },
      { pid: 42, parent: 1, seconds: 3723 },
      { pid: 43, parent: 1, seconds: 172_801 },
      { pid: 44, parent: 42, seconds: 60.25 },
    ])
  })

  it.skipIf(process.platform === 'win32')('sees this process and the work of a child of it', async () => {
    const before = readCpuTimes() ?? new Map<number, number>()
    const work =
      'while (process.cpuUsage().user < 400_000); process.stdout.write("done"); setInterval(() => {}, 60_000)'
    const child = spawn(process.execPath, ['--eval', work])
    await once(child.stdout, 'data')
    const after = readCpuTimes() ?? new Map<number, number>()
    child.kill('SIGKILL')
    expect([process.pid, child.pid].map((pid) => after.has(Number(pid)))).toEqual([true, true])
    expect(secondsBetween(before, after)).toBeGreaterThan(0.3)
  })
})
