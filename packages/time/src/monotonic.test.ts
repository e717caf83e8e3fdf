import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { monotonicMs } from './monotonic.ts'

describe('monotonicMs', () => {
  it('goes as performance.now() does, between two looks at that', () => {
    const offset = monotonicMs() - performance.now()
    const before = performance.now()
    const now = monotonicMs() - offset
    expect(now).toBeGreaterThan(before - 1)
    expect(monotonicMs() - offset).toBeLessThan(performance.now() + 1)
  })

  it('does not make Node load performance', () => {
    const module = fileURLToPath(new URL('monotonic.ts', import.meta.url))
    const script = `const { monotonicMs } = require('${module}'); monotonicMs(); console.log(process.moduleLoadList.includes('NativeModule perf_hooks'))`
    const flags = ['--no-warnings', '--experimental-strip-types', '--experimental-require-module']
    expect(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })).toBe('false\n')
  })
})
