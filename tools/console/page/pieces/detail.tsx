import type { ComponentChildren } from 'preact'

interface DetailProps {
  readonly label: string
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** All details of the chosen item of a list, beside the list; Escape closes them, too. */
export function Detail({ label, title, onClose, children }: DetailProps) {
  return (
    <aside class="card stack" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <div class="head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </aside>
  )
}
