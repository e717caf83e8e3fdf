import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemOf } from '../api.ts'
import { announce } from './announce.ts'
import { Problem } from './notice.tsx'

interface ActionProps {
  readonly run: () => Promise<unknown>
  readonly children: ComponentChildren
  /** Announced to screen readers afterwards. */
  readonly done: string
  readonly label?: string
  readonly kind?: 'plain' | 'danger' | 'main'
  readonly disabled?: boolean
  /** Names the loss, which a second button must confirm. Default: the first click acts. */
  readonly loses?: string
}

/** A button that changes something: busy meanwhile, and followed by the problem of a failed change. */
export function Action({ run, children, done, label, kind = 'plain', disabled = false, loses }: ActionProps) {
  const busy = useSignal(false)
  const isAsking = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  // The confirmation had the focus: it goes back to the button that comes in its place.
  useLayoutEffect(() => (isAsking.value ? () => button.current?.focus() : undefined), [isAsking.value])
  const act = async () => {
    if (busy.value) return
    isAsking.value = false
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
  const ask = (isWanted: boolean) => () => {
    isAsking.value = isWanted
  }
  return (
    <>
      {isAsking.value && loses !== undefined ? (
        <Confirmation loses={loses} onYes={act} onNo={ask(false)} />
      ) : (
        <button
          ref={button}
          type="button"
          class={kind}
          disabled={disabled}
          aria-label={label}
          aria-busy={busy.value}
          onClick={loses === undefined ? act : ask(true)}
        >
          {children}
        </button>
      )}
      <Problem problem={problem.value} />
    </>
  )
}

interface ConfirmationProps {
  readonly loses: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Stands in place of the button; the focus is on the way back. */
function Confirmation({ loses, onYes, onNo }: ConfirmationProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape cancels, as the button does
    <span
      class="confirmation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The details around it stay open.
        event.stopPropagation()
        onNo()
      }}
    >
      {loses}
      <button type="button" class="danger" onClick={onYes}>
        Confirm
      </button>
      <button type="button" ref={cancel} onClick={onNo}>
        Cancel
      </button>
    </span>
  )
}
