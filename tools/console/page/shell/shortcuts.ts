import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { href } from '../address.ts'
import { VIEWS } from './views.tsx'

const KEY = 'taproom-shortcuts'

/** Single keys disturb people who dictate: they can be turned off. */
export const shortcutsOn = signal(localStorage.getItem(KEY) !== 'off')

export function setShortcuts(on: boolean): void {
  shortcutsOn.value = on
  localStorage.setItem(KEY, on ? 'on' : 'off')
}

/** `1` to `9` go to a view, `/` to its filter, `?` tells all of them. */
export function useShortcuts(help: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!shortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const entry = VIEWS[Number(event.key) - 1]
      if (entry !== undefined) location.hash = href(entry.view)
      else if (event.key === '?') help()
      else if (event.key === '/') {
        const filter = document.querySelector<HTMLInputElement>('main [data-filter]')
        if (filter === null) return
        event.preventDefault()
        filter.focus()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** True for what takes letters, and in dialogs, which have keys of their own. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null
}
