/** Options of {@link createLogWindow}. */
export interface LogWindowOptions {
  /** Lines in a window at most. */
  readonly lines: number
  /** Those of them that one may have, so that who comes often does not hide the others. Default: all. */
  readonly linesOfOne?: number
  /** Default 10 000 ms. */
  readonly windowMs?: number
  /** Called at the end of a window that was too small, with how many lines of each kind were left out. */
  readonly onLeftOut: (counts: Readonly<Record<string, number>>) => void
}

/** Whether a line may still be written of this one; asks for one more line of the window, or counts it by its kind. */
export type LogWindow = (one: string, kind: string) => boolean

/** Bounds the lines that strangers can have written to a log: so many in a window, which begins with its first line, and one about the rest. */
export function createLogWindow(options: LogWindowOptions): LogWindow {
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
