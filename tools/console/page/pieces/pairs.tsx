import type { ComponentChildren } from 'preact'
import { Breakable } from './breakable.tsx'

interface PairsProps {
  readonly of: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
  readonly class?: string
}

/** Names with their values, a line each. */
export function Pairs({ of, class: value }: PairsProps) {
  return (
    <dl class="pairs">
      {of.map(([name, shown], index) => (
        <div key={index}>
          <dt>{typeof name === 'string' ? <Breakable text={name} /> : name}</dt>
          <dd class={value}>{shown}</dd>
        </div>
      ))}
    </dl>
  )
}
