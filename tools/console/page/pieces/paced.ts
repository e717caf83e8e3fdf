const SHORTEST_MS = 100
const LONGEST_MS = 1000
/** A frame at 60 a second: until then the screen would not have changed anyway. */
const FRAME_MS = 17
/** Of the time, one part in so many goes into showing what streams: the rest is for whoever scrolls and clicks. */
const SHARE = 20

/**
 * Shows the newest of many values: ten times a second at most, and less often where the screen needs long for it. `flush` shows what is
 * still due.
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
