import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DetailProps {
  readonly label: string
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** All details of the chosen item of a list, beside the list, which gets the focus when they are closed. Escape closes them, too. */
export function Detail({ label, title, onClose, children }: DetailProps) {
  const aside = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement?.closest<HTMLElement>('[role="listbox"]')
    return () => {
      if (aside.current?.contains(document.activeElement) === true) opener?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside ref={aside} class="card stack" aria-label={label}>
      <div class="head">
        <h2>{title}</h2>
        <button type="button" class="quiet" data-close="" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </aside>
  )
}
