import type { ComponentChildren } from 'preact'

interface FiltersProps {
  readonly children: ComponentChildren
  /** Address of the view without filters; undefined while none is set. */
  readonly clear?: string | undefined
}

/** The one line of filters above a list: fields, then the link that removes all of them. */
export function Filters({ children, clear }: FiltersProps) {
  return (
    <search class="filters" aria-label="Filters">
      {children}
      {clear !== undefined && (
        <a class="button" href={clear}>
          Clear
        </a>
      )}
    </search>
  )
}
