import type { RecordView, TextView } from '../../src/api/kafka.ts'
import { href } from '../address.ts'
import { get } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Detail } from '../pieces/detail.tsx'
import { bytes, clock } from '../pieces/format.ts'
import { visible, visibleLines } from '../pieces/hidden.ts'
import { MaybeJson } from '../pieces/json.tsx'
import { Pairs } from '../pieces/pairs.tsx'
import { saveFile } from '../pieces/save.ts'

const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/

export function RecordDetail({ record, onClose }: { record: RecordView; onClose: () => void }) {
  const { topic, partition, offset, time, key, value, headers } = record
  const parent = headers.find(({ name }) => name === 'traceparent')?.value?.text
  const [, traceId, spanId] = TRACE.exec(parent ?? '') ?? []
  const name = `${topic}-${partition}-${offset}`
  const whole = () =>
    get<RecordView>(`/api/kafka/topics/${encodeURIComponent(topic)}/partitions/${partition}/records/${offset}`)
  const saveRecord = async () => saveFile(`${name}.json`, JSON.stringify(await whole(), null, 2), 'application/json')
  const saveValue = async () => saveFile(`${name}.value`, bytesOf((await whole()).value), 'application/octet-stream')
  return (
    <Detail label="The chosen record" title={`${partition}/${offset}`} onClose={onClose}>
      <p>
        {clock(time)} {traceId !== undefined && <a href={href('traces', [traceId], { span: spanId })}>Trace</a>}
      </p>
      <div class="row">
        <Action run={saveRecord} done="record saved">
          Save record
        </Action>
        {value !== null && (
          <Action run={saveValue} done="value saved">
            Save value
          </Action>
        )}
      </div>
      <Part title="Key" part={key} />
      <Part title="Value" part={value} />
      {headers.length > 0 && (
        <section class="stack">
          <h3>Headers</h3>
          <Pairs
            class="mono lines-kept"
            of={headers.map((header) => [visible(header.name), <HeaderValue part={header.value} />])}
          />
        </section>
      )}
    </Detail>
  )
}

function Part({ title, part }: { title: string; part: TextView | null }) {
  return (
    <section class="stack">
      <h3>
        {title} {part !== null && <span class="muted">{bytes(part.bytes)}</span>}{' '}
        {part?.encoding === 'base64' && <span class="chip">base64</span>} {part !== null && <Cut part={part} />}
      </h3>
      {part === null ? <p class="muted">none</p> : <MaybeJson text={visibleLines(part.text)} />}
    </section>
  )
}

function HeaderValue({ part }: { part: TextView | null }) {
  if (part === null) return <em class="muted">none</em>
  return (
    <>
      {visibleLines(part.text)} <Cut part={part} />
    </>
  )
}

/** A list has the first 64 KiB of each part; a text is not cut within a character. */
function Cut({ part }: { part: TextView }) {
  const shown = bytesOf(part).length
  if (shown === part.bytes) return null
  return (
    <span class="cut">
      only the first {bytes(shown)} of {bytes(part.bytes)}: save the record to see all
    </span>
  )
}

function bytesOf(part: TextView | null): Uint8Array<ArrayBuffer> {
  if (part === null) return new Uint8Array()
  if (part.encoding === 'utf8') return new TextEncoder().encode(part.text)
  return Uint8Array.from(atob(part.text), (character) => character.charCodeAt(0))
}
