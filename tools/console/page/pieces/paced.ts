const SHORTEST_MS = 100
const LONGEST_MS = 1000
/** A frame at 60 a second: until then the screen would not have changed anyway. */
const FRAME_MS = 17
/** At most one part in this many of the time goes into drawing a stream; the rest is for scrolling and clicks. */
const SHARE = 20

/**
 * Shows the newest of many values: ten times a second at most, less often where drawing is slow. `flush` shows a pending value at once.
 */
export function paced<T>(show: (value: T) => void): { take(value: T): void; flush(): void } {
  let newest: { readonly value: T } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = SHORTEST_MS
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const due = newest
    newest = undefined
    if (due === undefined) return
    const startedAt = performance.now()
    show(due.value)
    // A task behind the next frame: then it is on the screen.
    requestAnimationFrame(() =>
      setTimeout(() => {
        const tookMs = performance.now() - startedAt - FRAME_MS
        pauseMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tookMs * SHARE))
      }),
    )
  }
  return {
    take(value) {
      newest = { value }
      timer ??= setTimeout(flush, pauseMs)
    },
    flush,
  }
}
