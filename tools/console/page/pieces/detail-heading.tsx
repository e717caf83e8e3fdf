import type { ComponentChildren } from 'preact'
import { href } from '../address.ts'

interface HeadingProps {
  /** The view that lists the subject. */
  readonly view: string
  /** Title of this view. */
  readonly list: string
  /** The subject. */
  readonly children: ComponentChildren
}

/** The heading of a view about one item of a list, with a link to the list. */
export function DetailHeading({ view, list, children }: HeadingProps) {
  return (
    <h1>
      <a class="crumb" href={href(view)}>
        {list}
      </a>{' '}
      {children}
    </h1>
  )
}
