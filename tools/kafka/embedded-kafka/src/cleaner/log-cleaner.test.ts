import { describe, expect, it } from 'vitest'
import { waitFor } from '../../tests/consume.ts'
import { fill, TestLog } from '../../tests/make-log.ts'
import { Clock } from '../clock.ts'
import { memorySegments } from '../storage/memory-file.ts'
import { LogCleaner } from './log-cleaner.ts'

describe('LogCleaner', () => {
  it('cleans the other logs when one cannot be written, and that one as soon as it can', async () => {
    const source = memorySegments()
    let isFull = true
    const full = new TestLog({
      ...source,
      draft(name) {
        if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
        return source.draft(name)
      },
    })
    const other = new TestLog(memorySegments())
    for (const log of [full, other]) fill(log)
    const cleaner = new LogCleaner({ logs: () => [full, other], clock: new Clock(() => 2000), backoffMs: 1 })
    try {
      cleaner.expect()
      await waitFor(() => other.cleanedTo === 5)
      expect(full.cleanedTo).toBe(0)
      isFull = false
      await waitFor(() => full.cleanedTo === 5)
      expect(full.contents()).toEqual(['2:c', '3:a', '4:b', '5:a'])
    } finally {
      cleaner.close()
    }
  })
})
