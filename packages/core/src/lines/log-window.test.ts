import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLogWindow } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('lets so many lines through in a window, fewer of one, and counts the others by kind', () => {
  const onLeftOut = vi.fn()
  const mayWrite = createLogWindow({ lines: 3, linesOfOne: 2, windowMs: 1000, onLeftOut })
  const asked = ['a', 'a', 'a', 'b', 'c', 'c'].map((one) => mayWrite(one, one === 'a' ? 'often' : 'late'))
  expect(asked).toEqual([true, true, false, true, false, false])
  vi.advanceTimersByTime(1000)
  expect(onLeftOut.mock.calls).toEqual([[{ often: 1, late: 2 }]])
  expect(mayWrite('a', 'often')).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(onLeftOut).toHaveBeenCalledTimes(1)
})
