import type { TargetedFocusEvent, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Elements at which the Tab key would stop. */
const CONTROLS = 'a, button, summary, input, select, textarea, [tabindex]'
const TEXTS = 'input, select, textarea'

/** The row that a key leads to from the row at an index; undefined for other keys, and where there are no rows. */
export function nextRow(key: string, at: number, rows: number): number | undefined {
  const wanted = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows - 1 }[key]
  return wanted === undefined || rows === 0 ? undefined : Math.max(0, Math.min(rows - 1, wanted))
}

interface UndrawnRows {
  /** How many rows there are, with those that are not drawn. */
  readonly count: number
  /** Brings a row into sight that may not be drawn. */
  readonly show: (index: number) => void
}

/**
 * Makes a list one tab stop: the arrow keys, Home and End move the focus among its rows, and Enter follows the first link of one. Rows are
 * elements with `data-row` and a `tabIndex` of -1. The controls in the row that had the focus last are tab stops, too. Where not all rows
 * are drawn, `data-row` is the index of the row.
 */
export function useRoving<E extends HTMLElement>(undrawn?: UndrawnRows) {
  const list = useRef<E>(null)
  const current = useRef<HTMLElement | undefined>(undefined)
  const wanted = useRef<number | undefined>(undefined)
  const drawnRows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const mark = () => {
    const drawn = drawnRows()
    const stop = drawn.find((row) => row === current.current) ?? drawn[0]
    for (const row of drawn) {
      const tabIndex = row === stop ? 0 : -1
      for (const control of [row, ...row.querySelectorAll<HTMLElement>(CONTROLS)]) control.tabIndex = tabIndex
    }
  }
  const indexOf = (row: HTMLElement) => (undrawn === undefined ? drawnRows().indexOf(row) : Number(row.dataset['row']))
  /** Undrawn rows get the focus once they are drawn. */
  const focusWanted = () => {
    const row = wanted.current === undefined ? undefined : drawnRows().find((each) => indexOf(each) === wanted.current)
    if (row === undefined) return
    wanted.current = undefined
    row.focus({ preventScroll: undrawn !== undefined })
  }
  useLayoutEffect(() => {
    mark()
    focusWanted()
  })
  return {
    ref: list,
    onFocusIn({ target }: TargetedFocusEvent<E>) {
      current.current = rowOf(target) ?? current.current
      mark()
    },
    onKeyDown(event: TargetedKeyboardEvent<E>) {
      const target = event.target as HTMLElement
      const row = rowOf(target)
      if (row === undefined || target.matches(TEXTS)) return
      if (event.key === 'Enter' && target === row) return row.querySelector<HTMLElement>('a, button')?.click()
      const index = nextRow(event.key, indexOf(row), undrawn?.count ?? drawnRows().length)
      if (index === undefined) return
      event.preventDefault()
      wanted.current = index
      undrawn?.show(index)
      focusWanted()
    },
  }
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return (target as Element | null)?.closest<HTMLElement>('[data-row]') ?? undefined
}
