import type { ComponentChildren } from 'preact'

interface CardProps {
  readonly title: string
  /** One sentence about the effect. */
  readonly text: string
  /** Buttons. */
  readonly actions: ComponentChildren
  /** Results. */
  readonly children: ComponentChildren
}

/** One of the first cards of the overview. */
export function Card({ title, text, actions, children }: CardProps) {
  return (
    <article class="card first-card" aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        <span class="row">{actions}</span>
      </div>
      <p class="muted">{text}</p>
      {children}
    </article>
  )
}
