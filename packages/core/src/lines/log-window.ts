export interface LogWindowOptions {
  /** Most lines in one window. */
  readonly lines: number
  /** Most lines of one sender, so that a frequent one does not hide the others. Default: all. */
  readonly linesOfOne?: number
  /** Default 10 000 ms. */
  readonly windowMs?: number
  /** Called at the end of a window that overflowed, with how many lines of each kind were left out. */
  readonly onLeftOut: (counts: Readonly<Record<string, number>>) => void
}

/**
 * Bounds how many log lines outside callers can cause: `lines` in a window, which begins with its first line, and one about the rest. The
 * result takes a line for sender `one`; false when none is left, and the line is then counted by its kind.
 */
export function createLogWindow(options: LogWindowOptions): (one: string, kind: string) => boolean {
  const { lines, linesOfOne = lines, windowMs = 10_000, onLeftOut } = options
  let written = 0
  let isOpen = false
  const writtenOf = new Map<string, number>()
  const leftOut = new Map<string, number>()

  function end(): void {
    const counts = Object.fromEntries(leftOut)
    written = 0
    isOpen = false
    writtenOf.clear()
    leftOut.clear()
    if (Object.keys(counts).length > 0) onLeftOut(counts)
  }

  return (one, kind) => {
    if (!isOpen) setTimeout(end, windowMs).unref()
    isOpen = true
    const ofThisOne = writtenOf.get(one) ?? 0
    if (written >= lines || ofThisOne >= linesOfOne) {
      leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1)
      return false
    }
    written += 1
    writtenOf.set(one, ofThisOne + 1)
    return true
  }
}
