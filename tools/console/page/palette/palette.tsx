import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemOf } from '../api.ts'
import { Problem } from '../pieces/notice.tsx'
import type { PageActions } from './actions.ts'
import { type Find, ranked } from './ranked.ts'
import { useFinds } from './use-finds.ts'

/** Rows of the list; who wants another one types more. */
const MOST_ROWS = 50
/** The API takes no longer texts. */
const MOST_LETTERS = 200
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** A button in the header, and the dialog that it opens: it finds parts, traces, events, views and actions by their names. */
export function Palette({ views, onHelp }: Omit<PageActions, 'onClose'>) {
  const isOpen = useSignal(false)
  /** Counts openings: each begins without a text. */
  const openings = useSignal(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const open = () => {
    isOpen.value = true
    openings.value += 1
    dialog.current?.showModal()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isWanted = (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (!isWanted) return
      event.preventDefault()
      if (dialog.current?.open === true) dialog.current.close()
      else open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button type="button" class="find" aria-haspopup="dialog" onClick={open}>
        Find <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <dialog
        ref={dialog}
        class="palette"
        aria-label="Find"
        onClose={({ currentTarget }) => {
          // The event comes later than the closing: the dialog may be open again.
          isOpen.value = currentTarget.open
        }}
        closedby="any"
      >
        {isOpen.value && (
          <Finder key={openings.value} views={views} onClose={() => dialog.current?.close()} onHelp={onHelp} />
        )}
      </dialog>
    </>
  )
}

/** A combobox whose list is always seen: the arrow keys choose, Enter goes there or does it. */
function Finder({ views, onClose, onHelp }: PageActions) {
  const id = useId()
  const text = useSignal('')
  const at = useSignal(0)
  const doing = useSignal<{ readonly isBusy: boolean; readonly problem?: ApiProblem }>({ isBusy: false })
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  const { finds, missing } = useFinds(text.value, { views, onClose, onHelp })
  const found = useComputed(() => ranked(finds.value, text.value))
  const shown = found.value.slice(0, MOST_ROWS)
  const active = Math.min(at.value, shown.length - 1)
  const choose = async (find: Find | undefined) => {
    if (find === undefined || doing.value.isBusy) return
    if (typeof find.to === 'string') {
      onClose()
      location.hash = find.to
      return
    }
    doing.value = { isBusy: true }
    try {
      await find.to()
      onClose()
    } catch (error) {
      doing.value = { isBusy: false, problem: problemOf(error) }
    }
  }
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') void choose(shown[active])
    else if (step !== 0 && shown.length > 0) at.value = (active + step + shown.length) % shown.length
    else return
    event.preventDefault()
  }
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <div class="row">
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Name of a part, id of a trace or event, view or action"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={shown.length === 0 ? undefined : `${id}-${active}`}
          aria-busy={doing.value.isBusy}
          placeholder="Name, id, view or action"
          maxLength={MOST_LETTERS}
          spellcheck={false}
          autocomplete="off"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            at.value = 0
          }}
          onKeyDown={pressed}
        />
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <Problem problem={doing.value.problem} />
      <div
        id={id}
        role="listbox"
        aria-label="Found"
        class="finds"
        tabIndex={-1}
        onClick={({ target }) => {
          const row = (target as Element).closest<HTMLElement>('[data-index]')
          if (row !== null) void choose(shown[Number(row.dataset['index'])])
        }}
        onKeyDown={pressed}
      >
        {shown.map((find, index) => (
          <div
            key={find.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            data-index={index}
          >
            <span class="find-name">{find.name}</span>
            <span class="chip">{find.kind}</span>
            {find.detail !== undefined && <small class="muted">{find.detail}</small>}
          </div>
        ))}
      </div>
      <p class="muted" role="status">
        {countText(shown.length, found.value.length)}
        {missing.value.length > 0 && ` Not known: ${missing.value.join(', ')}.`}
      </p>
    </>
  )
}

function countText(shown: number, found: number): string {
  if (found === 0) return 'Nothing has this name.'
  return shown < found ? `${shown} of ${found} are shown: type more letters.` : `${found} found.`
}
