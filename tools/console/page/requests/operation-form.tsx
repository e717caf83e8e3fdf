import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { OperationView, TriedRequest } from '../../src/api/requests.ts'
import { problemOf } from '../api.ts'
import { announce } from '../pieces/announce.ts'
import { paced } from '../pieces/paced.ts'
import { setter } from '../setter.ts'
import { AnswerView, isEventStream, type TriedAnswer } from './answer-view.tsx'
import { BodyForm, firstBody } from './body-form.tsx'
import { firstTexts, schemaOf } from './schema.ts'
import { SchemaField } from './schema-field.tsx'
import { eventReader } from './streamed-events.ts'
import { groupsOf, type TokenChoice, TokenForm } from './token-form.tsx'
import { tryRequest } from './try-request.ts'

const MOST_TEXT = 1_000_000

export function OperationForm({ operation }: { operation: OperationView }) {
  const texts = useSignal(firstTexts(operation))
  const body = useSignal(operation.body === undefined ? '' : firstBody(operation.body.schema, operation.body.example))
  const token = useSignal<TokenChoice>({ isSent: operation.isProtected, user: 'duke', groups: 'Subscriber' })
  const answer = useSignal<TriedAnswer | undefined>(undefined)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    answer.value = { isRunning: true, text: '' }
    const readEvents = eventReader()
    const update = (change: Partial<TriedAnswer>) => {
      if (running.current === controller && answer.value !== undefined) answer.value = { ...answer.value, ...change }
    }
    const shown = paced(update)
    let text = ''
    try {
      await tryRequest(
        requestOf(operation, { texts: texts.value, body: body.value, token: token.value }),
        (event) => {
          if (event.event === 'head') update({ head: event, ...(isEventStream(event) ? { events: [] } : {}) })
          else if (event.event === 'end') update({ end: event })
          else if (answer.value?.events !== undefined) shown.take({ events: readEvents(event.text) })
          else {
            text = (text + event.text).slice(0, MOST_TEXT)
            shown.take({ text })
          }
        },
        controller.signal,
      )
      announce(`answered ${answer.value?.head?.status ?? ''}`)
    } catch (error) {
      if (!controller.signal.aborted) update({ problem: problemOf(error) })
    }
    shown.flush()
    update({ isRunning: false })
  }
  return (
    <div class="stack">
      <form
        class="card stack"
        aria-label={`${operation.method} ${operation.path}`}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <h2>
          <span class={`method ${operation.method}`}>{operation.method}</span>{' '}
          <span class="mono">{operation.path}</span>
        </h2>
        {operation.summary !== '' && <p class="muted">{operation.summary}</p>}
        {operation.parameters.map(({ name, in: place, schema, isRequired, description }) => (
          <SchemaField
            key={`${place} ${name}`}
            name={place === 'query' ? name : `${name} (${place})`}
            schema={schemaOf(schema)}
            isRequired={isRequired}
            description={description}
            text={texts.value[`${place} ${name}`] ?? ''}
            onText={(text) => {
              texts.value = { ...texts.value, [`${place} ${name}`]: text }
            }}
          />
        ))}
        {operation.body !== undefined && (
          <BodyForm
            mediaType={operation.body.mediaType}
            schema={operation.body.schema}
            body={body.value}
            onBody={setter(body)}
          />
        )}
        <TokenForm choice={token} />
        <div class="row">
          <button type="submit" class="main">
            Send
          </button>
          {answer.value?.isRunning === true && (
            <button type="button" onClick={() => running.current?.abort()}>
              Stop
            </button>
          )}
        </div>
      </form>
      {answer.value !== undefined && <AnswerView answer={answer.value} />}
    </div>
  )
}

interface Filled {
  readonly texts: Readonly<Record<string, string>>
  readonly body: string
  readonly token: TokenChoice
}

function requestOf(operation: OperationView, { texts, body, token }: Filled): TriedRequest {
  const given = operation.parameters.map(({ name, in: place }) => ({
    name,
    place,
    text: texts[`${place} ${name}`] ?? '',
  }))
  const path = given
    .filter(({ place }) => place === 'path')
    .reduce((all, { name, text }) => all.replaceAll(`{${name}}`, encodeURIComponent(text)), operation.path)
  const sent = given.filter(({ text }) => text !== '')
  const query = new URLSearchParams(
    sent.filter(({ place }) => place === 'query').map(({ name, text }): [string, string] => [name, text]),
  ).toString()
  const headers = Object.fromEntries(
    sent.filter(({ place }) => place === 'header').map(({ name, text }) => [name, text]),
  )
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: operation.body === undefined ? headers : { 'Content-Type': operation.body.mediaType, ...headers },
    ...(operation.body === undefined ? {} : { body }),
    ...(token.isSent ? { token: { user: token.user, groups: groupsOf(token) } } : {}),
  }
}
