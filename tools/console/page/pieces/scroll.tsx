import type { ComponentChildren } from 'preact'

/** A scrollable region that can be reached and scrolled by keyboard. */
export function Scroll({
  label,
  children,
  class: name = '',
}: {
  label: string
  children: ComponentChildren
  class?: string
}) {
  return (
    <section
      class={`scroll ${name}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  )
}
