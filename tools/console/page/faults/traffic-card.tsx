import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { OperationView } from '../../src/api/requests.ts'
import { type Items, problemOf } from '../api.ts'
import { isSimple } from '../first-cards/chosen.ts'
import { usePolled } from '../live.ts'
import { Choice } from '../pieces/field.tsx'
import { duration } from '../pieces/format.ts'
import { tryRequest } from '../requests/try-request.ts'
import { setter } from '../setter.ts'

const EVERY_MS = 1000
const KEPT = 40
/** Characters of an answer that are shown. */
const MOST_SHOWN = 240
/** Requests without an answer at the same time. */
const MOST_WAITING = 5

interface Tick {
  readonly number: number
  readonly status?: number | undefined
  readonly tookMs: number
  readonly text: string
  readonly error?: string | undefined
}

/** Sends one request per second while the tab is visible, to show the effect of a fault; each answer is a bar. */
export function TrafficCard() {
  const { value } = usePolled<Items<OperationView>>('/api/operations', 60_000)
  const operations = (value.value?.items ?? []).filter(isSimple)
  const chosen = useSignal('')
  const isOn = useSignal(false)
  const ticks = useSignal<readonly Tick[]>([])
  const path = chosen.value || (operations[0]?.path ?? '')
  useEffect(() => {
    if (!isOn.value || path === '') return
    const left = new AbortController()
    let number = 0
    let waiting = 0
    const add = (tick: Tick) => {
      if (!left.signal.aborted) ticks.value = [...ticks.value, tick].slice(-KEPT)
    }
    const ask = async () => {
      if (document.hidden || waiting >= MOST_WAITING) return
      waiting += 1
      number += 1
      const tick = { number: Date.now() + number }
      let status: number | undefined
      let text = ''
      try {
        await tryRequest(
          { method: 'GET', path, headers: {} },
          (event) => {
            if (event.event === 'head') status = event.status
            else if (event.event === 'chunk') text = (text + event.text).slice(0, MOST_SHOWN)
            else add({ ...tick, text, tookMs: event.tookMs, status, error: event.error })
          },
          left.signal,
        )
      } catch (error) {
        add({ ...tick, text, tookMs: 0, error: problemOf(error).message })
      }
      waiting -= 1
    }
    void ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => {
      clearInterval(timer)
      left.abort()
    }
  }, [isOn.value, path])
  if (operations.length === 0) return <p class="muted">Every operation needs a parameter or a token.</p>
  const last = ticks.value.at(-1)
  return (
    <article class="stack" aria-label="Traffic">
      <h2>Traffic</h2>
      <p class="muted">Send one request per second to see the effect.</p>
      <div class="filters">
        <Choice
          label="Request"
          value={path}
          options={operations.map((one) => [one.path, `GET ${one.path}`] as const)}
          onValue={setter(chosen)}
        />
        <button
          type="button"
          class="main"
          aria-pressed={isOn.value}
          onClick={() => {
            isOn.value = !isOn.value
          }}
        >
          {isOn.value ? 'Stop' : 'Start'}
        </button>
      </div>
      <Bars ticks={ticks.value} />
      {last !== undefined && <p class="number">{textOf(last)}</p>}
      {last !== undefined && last.text !== '' && <p class="mono muted break">{last.text}</p>}
    </article>
  )
}

function textOf({ status, tookMs, error }: Tick): string {
  return error ?? `${status ?? 'no answer'} after ${duration(tookMs)}`
}

function Bars({ ticks }: { ticks: readonly Tick[] }) {
  const most = Math.max(100, ...ticks.map(({ tookMs }) => tookMs))
  return (
    <ol class="ticks" aria-label="Answers">
      {ticks.map((tick) => (
        <li
          key={tick.number}
          class={tick.status !== undefined && tick.status < 400 ? 'good' : 'bad'}
          title={textOf(tick)}
        >
          <span style={{ height: `${Math.max(6, (tick.tookMs / most) * 100)}%` }} />
          <span class="unseen">{textOf(tick)}</span>
        </li>
      ))}
    </ol>
  )
}
