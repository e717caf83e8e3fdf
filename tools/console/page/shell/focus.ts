import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from './shortcuts.ts'

/**
 * Moves the focus to the content when another view is shown, or when what had the focus is gone with the view before; the page begins at its
 * top then.
 */
export function useViewFocus(main: RefObject<HTMLElement | null>, view: string, parts: string): void {
  const shown = useRef({ view, parts })
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { view, parts }
    if (before.view === view && before.parts === parts) return
    scrollTo(0, 0)
    if (before.view !== view || document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [view, parts])
}

/** Escape closes the open part around the focus, such as a form, or else the details of what is chosen in a list. */
export function useEscape(): void {
  useEffect(() => {
    const listen = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || isTyping(target)) return
      const open = (target as Element).closest<HTMLDetailsElement>('details[open]')
      if (open === null) return document.querySelector<HTMLElement>('main [data-close]')?.click()
      open.open = false
      open.querySelector('summary')?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Keeps the current tab in sight where the tabs are wider than the screen. */
export function useCurrentTab(tabs: RefObject<HTMLElement | null>, view: string): void {
  useLayoutEffect(() => {
    const row = tabs.current
    const current = row?.querySelector<HTMLElement>('[aria-current]')
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [view])
}
