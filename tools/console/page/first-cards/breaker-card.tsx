import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { BreakerView } from '../../src/api/breakers.ts'
import type { Fault } from '../../src/api/requests.ts'
import { problemOf, send } from '../api.ts'
import { BREAKER_HEALTH, nextTry } from '../breakers/breakers.tsx'
import { Action } from '../pieces/action.tsx'
import { Curl } from '../pieces/curl.tsx'
import { count, duration, rate } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { tryRequest } from '../requests/try-request.ts'
import { setter } from '../setter.ts'
import { Card } from './card.tsx'
import type { ChosenBreaker } from './chosen.ts'

const FAULT_SECONDS = 60
/** Requests until the breaker opens, and until it closes, at most: a breaker that needs more is left alone. */
const MOST_REQUESTS = 30

interface CardProps {
  readonly chosen: ChosenBreaker
  readonly breakers: readonly BreakerView[]
}

interface Answers {
  readonly count: number
  readonly text: string
  readonly curl: string
}

/** Lets a stand-in fail and sends requests until the breaker is open and, after the fault, until it is closed again. */
export function BreakerCard({ chosen: { service, name, standIn, path }, breakers }: CardProps) {
  const failsUntil = useSignal(0)
  /** From the opening of the breaker by the fault until the breaker is closed after it. */
  const hasOpened = useSignal(false)
  const answers = useSignal<Answers | undefined>(undefined)
  const breaker = breakers.find((one) => one.service === service && one.name === name)
  const isClosed = breaker === undefined || breaker.state === 'closed'
  const fault = `/api/faults/${encodeURIComponent(standIn)}`
  const setFault = async (mode: 'failing' | 'none') => {
    const { until = 0 } = await send<Fault>('PUT', fault, mode === 'none' ? { mode } : { mode, seconds: FAULT_SECONDS })
    failsUntil.value = until
  }
  const isFailing = failsUntil.value > Date.now()
  // A half-open breaker needs calls: it does not close without them.
  const isSending = isFailing ? !hasOpened.value : hasOpened.value && breaker?.state === 'half-open'
  useEffect(() => {
    if (isClosed !== isFailing) hasOpened.value = isFailing
  }, [isClosed, isFailing])
  useRequests(path, isSending, setter(answers))
  return (
    <Card
      title="Open the breaker"
      text={`Lets ${standIn} answer 503 and requests GET ${path} until the circuit breaker ${name} of ${service} opens; after the fault, until it closes.`}
      actions={
        isFailing ? (
          <Action run={() => setFault('none')} done={`${standIn} answers again`} kind="main">
            End the fault
          </Action>
        ) : (
          <Action
            run={async () => {
              answers.value = undefined
              hasOpened.value = false
              await setFault('failing')
            }}
            done={`${standIn} fails`}
            kind="main"
          >
            Open
          </Action>
        )
      }
    >
      {(isFailing || answers.value !== undefined) && (
        <div class="stack" role="status">
          <p class="row">
            {breaker !== undefined && <State state={breaker.state} health={BREAKER_HEALTH[breaker.state]} />}
            {breaker !== undefined && nextTry(breaker)}
            {breaker !== undefined && breaker.fallbackRate > 0 && (
              <span class="chip warn">{rate(breaker.fallbackRate)} answered by the fallback</span>
            )}
          </p>
          {answers.value !== undefined && (
            <p>
              {count(answers.value.count, 'request')}, the last: {answers.value.text}
            </p>
          )}
          <Curl line={faultLine(fault)} />
          {answers.value !== undefined && <Curl line={answers.value.curl} />}
        </div>
      )}
    </Card>
  )
}

/** The secret of the console stays out of the page: `SECRET` is a variable of the shell. */
function faultLine(path: string): string {
  const body = JSON.stringify({ mode: 'failing', seconds: FAULT_SECONDS })
  const headers = `-H "Authorization: Bearer $SECRET" -H 'Content-Type: application/json'`
  return `curl -X PUT ${location.origin}${path} ${headers} -d '${body}'`
}

/** Sends one request after the other while `isSending`, each time a limited number. */
function useRequests(path: string, isSending: boolean, onAnswers: (answers: Answers) => void): void {
  const sent = useSignal(0)
  useEffect(() => {
    if (!isSending) return
    const left = new AbortController()
    sent.value = 0
    const run = async () => {
      while (!left.signal.aborted && sent.value < MOST_REQUESTS) {
        let curl = ''
        let status = 0
        await tryRequest(
          { method: 'GET', path, headers: {} },
          (event) => {
            if (event.event === 'head') ({ curl, status } = event)
            if (event.event !== 'end' || left.signal.aborted) return
            sent.value += 1
            onAnswers({ count: sent.value, curl, text: event.error ?? `${status} after ${duration(event.tookMs)}` })
          },
          left.signal,
        )
      }
    }
    run().catch((error: unknown) => {
      if (!left.signal.aborted) onAnswers({ count: sent.value, curl: '', text: problemOf(error).message })
    })
    return () => left.abort()
  }, [isSending, path])
}
