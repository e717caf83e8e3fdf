import type { Signal } from '@preact/signals'
import type { ComponentChildren, TargetedEvent, TargetedKeyboardEvent, TargetedMouseEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { nextRow } from './roving.ts'
import { SPARE_ROWS, showRow, useRowWindow } from './row-window.ts'

interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly rowHeight: number
  readonly idOf: (item: T) => string
  readonly rowClass: (item: T) => string
  readonly row: (item: T) => ComponentChildren
  readonly selected: string | undefined
  readonly onSelect: (item: T | undefined) => void
  /** The left and the right arrow key fold and unfold the selected row. */
  readonly onFold?: (item: T, isFolded: boolean) => void
  /** True while the end stays in sight: scrolling up ends that, scrolling to the end begins it. */
  readonly follow: Signal<boolean>
  /** A part of a row was clicked that has this text as `data-action`; the row is not selected then. */
  readonly onAction?: (action: string, item: T) => void
  /** The first rows are seen. */
  readonly onTop?: () => void
}

/** A list of any length: only the rows in sight are there. The arrow keys, Home and End select. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, rowHeight, idOf, rowClass, row, selected, onSelect, onFold, follow, onAction, onTop } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { first, last, top, height } = useRowWindow(scroller, { rows: items.length, rowHeight })
  useSteadyScroll(scroller, items, rowHeight, follow.value)
  const drawn = items.slice(first, last)
  const active = drawn.find((item) => idOf(item) === selected)
  const scrolled = ({ currentTarget }: TargetedEvent<HTMLDivElement>) => {
    const isUp = currentTarget.scrollTop < top.value
    top.value = currentTarget.scrollTop
    const isAtEnd = currentTarget.scrollTop + currentTarget.clientHeight >= currentTarget.scrollHeight - rowHeight
    if (isUp && !isAtEnd) follow.value = false
    else if (isAtEnd) follow.value = true
    if (currentTarget.scrollTop < rowHeight * SPARE_ROWS) onTop?.()
  }
  const clicked = ({ target }: TargetedMouseEvent<HTMLDivElement>) => {
    const index = (target as Element).closest<HTMLElement>('[data-index]')?.dataset['index']
    const item = index === undefined ? undefined : items[Number(index)]
    if (item === undefined) return
    const action = (target as Element).closest<HTMLElement>('[data-action]')?.dataset['action']
    if (action !== undefined && onAction !== undefined) onAction(action, item)
    else onSelect(item)
  }
  const pressed = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const item = items.find((each) => idOf(each) === selected)
      if (item !== undefined) onFold?.(item, event.key === 'ArrowLeft')
      return
    }
    const at = selected === undefined ? -1 : items.findIndex((item) => idOf(item) === selected)
    // Without a selected row the keys begin at those in sight.
    const before = Math.ceil(top.value / rowHeight) - 1
    const after = Math.floor((top.value + height) / rowHeight)
    const index = nextRow(event.key, at >= 0 ? at : event.key === 'ArrowUp' ? after : before, items.length)
    if (index === undefined) return
    event.preventDefault()
    follow.value = false
    onSelect(items[index])
    showRow(event.currentTarget, index, rowHeight)
  }
  return (
    <div
      class="scroll virtual"
      ref={scroller}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active === undefined ? undefined : `row-${selected}`}
      onScroll={scrolled}
      onClick={clicked}
      onKeyDown={pressed}
    >
      <div class="virtual-all" style={{ height: `${items.length * rowHeight}px` }} role="presentation">
        {drawn.map((item, offset) => (
          <div
            key={idOf(item)}
            id={`row-${idOf(item)}`}
            class={`virtual-row ${rowClass(item)}`}
            style={{ transform: `translateY(${(first + offset) * rowHeight}px)`, height: `${rowHeight}px` }}
            role="option"
            tabIndex={-1}
            aria-selected={idOf(item) === selected}
            aria-posinset={first + offset + 1}
            aria-setsize={items.length}
            data-index={first + offset}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Lines that come or go before those in sight move nothing. */
function useSteadyScroll<T>(
  scroller: { readonly current: HTMLElement | null },
  items: readonly T[],
  rowHeight: number,
  isFollowing: boolean,
): void {
  const before = useRef(items)
  useLayoutEffect(() => {
    const element = scroller.current
    const known = before.current
    before.current = items
    if (element === null) return
    if (isFollowing) {
      element.scrollTop = element.scrollHeight
      return
    }
    const [first] = items
    const [knownFirst] = known
    if (first === undefined || knownFirst === undefined || first === knownFirst) return
    const gone = known.indexOf(first)
    const come = gone < 0 ? items.indexOf(knownFirst) : -1
    element.scrollTop += (gone > 0 ? -gone : Math.max(0, come)) * rowHeight
  }, [items, isFollowing, rowHeight])
}
