import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { monotonicMs } from './monotonic.ts'

describe('monotonicMs', () => {
  it('goes as performance.now() does, between two looks at that', () => {
    // A busy machine may stop this process between any two of them.
    const [first, zero, second] = [monotonicMs(), performance.now(), monotonicMs()]
    const [before, now, after] = [performance.now(), monotonicMs(), performance.now()]
    expect(now - first).toBeGreaterThan(before - zero - 1)
    expect(now - second).toBeLessThan(after - zero + 1)
  })

  it('does not make Node load performance', () => {
    const module = fileURLToPath(new URL('monotonic.ts', import.meta.url))
    const script = `const { monotonicMs } = require('${module}'); monotonicMs(); console.log(process.moduleLoadList.includes('NativeModule perf_hooks'))`
    const flags = ['--no-warnings', '--experimental-strip-types', '--experimental-require-module']
    expect(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })).toBe('false\n')
  })
})
