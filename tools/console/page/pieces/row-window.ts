import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Rows drawn beyond what is seen. */
export const SPARE_ROWS = 12

interface RowWindow {
  /** The drawn rows: from `first` to before `last`. */
  readonly first: number
  readonly last: number
  /** `scrollTop` of the scroller; the list sets it on each `scroll` event. */
  readonly top: Signal<number>
  /** Height of the scroller. */
  readonly height: number
}

/** Finds the rows of a long list to draw: the rows in sight, and a few before and after them. */
export function useRowWindow(
  scroller: { readonly current: HTMLElement | null },
  { rows, rowHeight }: { readonly rows: number; readonly rowHeight: number },
): RowWindow {
  const top = useSignal(0)
  const height = useSignal(600)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(top.value / rowHeight) - SPARE_ROWS)
  const last = Math.min(rows, Math.ceil((top.value + height.value) / rowHeight) + SPARE_ROWS)
  return { first, last, top, height: height.value }
}

/** Scrolls no further than a row needs to be in sight. */
export function showRow(scroller: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + rowHeight > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + rowHeight - scroller.clientHeight
}
