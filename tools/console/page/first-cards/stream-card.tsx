import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ApiProblem, problemOf } from '../api.ts'
import { Curl } from '../pieces/curl.tsx'
import { clock, count } from '../pieces/format.ts'
import { Problem } from '../pieces/notice.tsx'
import { paced } from '../pieces/paced.ts'
import { eventReader, type StreamedEvent } from '../requests/streamed-events.ts'
import { tryRequest } from '../requests/try-request.ts'
import { Card } from './card.tsx'

const SHOWN = 4

/** Follows a stream of events and shows the newest ones. */
export function StreamCard({ path }: { path: string }) {
  const isOn = useSignal(false)
  const events = useSignal<readonly StreamedEvent[]>([])
  const curl = useSignal('')
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    if (!isOn.value) return
    const left = new AbortController()
    const read = eventReader()
    const shown = paced((news: readonly StreamedEvent[]) => {
      if (!left.signal.aborted) events.value = news
    })
    events.value = []
    problem.value = undefined
    tryRequest(
      { method: 'GET', path, headers: {} },
      (event) => {
        if (event.event === 'head') curl.value = event.curl
        else if (event.event === 'chunk') shown.take(read(event.text))
        else isOn.value = false
      },
      left.signal,
    ).catch((error: unknown) => {
      if (left.signal.aborted) return
      problem.value = problemOf(error)
      isOn.value = false
    })
    return () => left.abort()
  }, [isOn.value, path])
  const last = events.value.at(-1)
  return (
    <Card
      title={`Watch ${path.split('/').at(-1)}s`}
      text={`Shows the server-sent events of GET ${path} as they arrive.`}
      actions={
        <button
          type="button"
          class={isOn.value ? '' : 'main'}
          aria-pressed={isOn.value}
          onClick={() => {
            isOn.value = !isOn.value
          }}
        >
          {isOn.value ? 'Stop' : 'Watch'}
        </button>
      }
    >
      <Problem problem={problem.value} />
      {last !== undefined && (
        <>
          <p role="status">{count(last.number, 'event')}</p>
          <ol class="first-events">
            {events.value
              .slice(-SHOWN)
              .toReversed()
              .map(({ number, at, data, fields }) => (
                <li key={number}>
                  <span class="muted mono">{clock(at).slice(0, 8)}</span>{' '}
                  {fields === undefined ? data : Object.values(fields).map(String).join(' · ')}
                </li>
              ))}
          </ol>
        </>
      )}
      {curl.value !== '' && <Curl line={curl.value} />}
    </Card>
  )
}
