import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Check } from '../pieces/field.tsx'
import { Pairs } from '../pieces/pairs.tsx'
import { setShortcuts, shortcutsOn } from './shortcuts.ts'

const SHORTCUTS = [
  ['Ctrl K, ⌘K', 'find a part, a trace, an event, a view or an action'],
  ['1 to 9', 'go to a view, as numbered in the navigation'],
  ['/', 'go to the filter of the view'],
  ['↑ ↓ Home End', 'choose in a list'],
  ['Enter', 'open what has the focus'],
  ['Esc', 'close what is open'],
  ['?', 'show this'],
] as const

export function ShortcutsDialog({ open }: { open: Signal<boolean> }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = open.value
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="shortcuts"
      onClose={() => {
        open.value = false
      }}
    >
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      <Pairs of={SHORTCUTS.map(([key, tells]) => [<kbd>{key}</kbd>, tells])} />
      <Check label="Single keys on" checked={shortcutsOn.value} onChecked={setShortcuts} />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
