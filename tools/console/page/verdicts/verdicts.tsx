import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PictureNode } from '../../src/api/system.ts'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { href } from '../address.ts'
import { usePolled } from '../live.ts'
import { nodeAddress } from '../node-address.ts'
import { count } from '../pieces/format.ts'

const EVERY_MS = 3000

/** The verdicts that are shown at the moment, errors first. */
const verdicts = signal<readonly Verdict[]>([])

/** Stays open while parts of the answer are missing for a moment, as after a restart of the event platform. */
const isOpen = signal(false)

/** Stands above every view: parts that are not well, and why. */
export function VerdictsAbove() {
  const { value } = usePolled<Verdicts>('/api/verdicts', EVERY_MS)
  const answer = value.value
  useEffect(() => {
    const items = answer?.items ?? []
    verdicts.value = items.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  }, [answer])
  const [first, ...others] = verdicts.value
  if (first === undefined) return null
  return (
    <details
      class={`verdicts ${first.severity}`}
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        {first.problem}
        {others.length > 0 && <span class="muted"> and {count(others.length, 'more verdict')}</span>}
      </summary>
      <ul class="stack" aria-label="Verdicts">
        {verdicts.value.map((verdict) => (
          <li key={verdict.part + verdict.problem}>
            <a href={addressOf(verdict.part)}>{verdict.part}</a>
            <Whole verdict={verdict} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Own verdicts of parts; those of a part `a/b` are also those of `a/b/c`. */
export function verdictsOf(parts: readonly string[]): readonly Verdict[] {
  return verdicts.value.filter(({ part }) => parts.some((each) => part === each || part.startsWith(`${each}/`)))
}

/** Stands beside a part: its own verdicts. */
export function VerdictsOf({ parts }: { parts: readonly string[] }) {
  return verdictsOf(parts).map((verdict) => (
    <div key={verdict.problem} class={`verdicts ${verdict.severity}`}>
      <Whole verdict={verdict} />
    </div>
  ))
}

/** Stands in a table: the sentence of each own verdict of a part. */
export function VerdictLines({ parts }: { parts: readonly string[] }) {
  return verdictsOf(parts).map(({ problem, severity }) => (
    <p key={problem} class={`verdict-line ${severity}`}>
      {problem}
    </p>
  ))
}

function Whole({ verdict: { problem, evidence, remedy, source } }: { verdict: Verdict }) {
  const values = Object.entries(evidence).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <p>{problem}</p>
      <p>
        {remedy} {source !== undefined && <a href={editorAddress(source)}>Open it in the editor</a>}
      </p>
      <small class="muted break">{values.join(' · ')}</small>
    </>
  )
}

/** Visual Studio Code, and editors that take its addresses. */
function editorAddress(source: string): string {
  return `vscode://file${encodeURI(source)}`
}

function addressOf(part: string): string {
  const [kind = '', name = ''] = part.split('/')
  if (kind === 'channel') return href('services', [name])
  if (kind === 'manifest') return href('events')
  return nodeAddress({ id: part, kind: kind as PictureNode['kind'], name })
}
