import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type ApiProblem, problemOf } from '../api.ts'
import { announce } from './announce.ts'
import { Problem } from './notice.tsx'

interface ActionProps {
  readonly run: () => Promise<unknown>
  readonly children: ComponentChildren
  /** Told to a screen reader when it is done. */
  readonly done: string
  readonly label?: string
  readonly kind?: 'plain' | 'danger' | 'main'
  readonly disabled?: boolean
}

/** A button that changes something: busy while it does, and it tells what went wrong. */
export function Action({ run, children, done, label, kind = 'plain', disabled = false }: ActionProps) {
  const busy = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const click = async () => {
    if (busy.value) return
    busy.value = true
    problem.value = undefined
    try {
      await run()
      announce(done)
    } catch (error) {
      problem.value = problemOf(error)
    } finally {
      busy.value = false
    }
  }
  return (
    <>
      <button type="button" class={kind} disabled={disabled} aria-label={label} aria-busy={busy.value} onClick={click}>
        {children}
      </button>
      <Problem problem={problem.value} />
    </>
  )
}
