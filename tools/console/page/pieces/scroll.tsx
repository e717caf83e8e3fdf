import type { ComponentChildren } from 'preact'

/** What is wider or higher than its place: reached and scrolled by keyboard too. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </section>
  )
}
