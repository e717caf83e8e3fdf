import { useEffect, useRef } from 'preact/hooks'
import type { Overview } from '../../src/api/system.ts'
import { href } from '../address.ts'
import { useLatest } from '../live.ts'
import { announce } from '../pieces/announce.ts'
import { count } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { State } from '../pieces/state.tsx'
import { Breakers } from './breakers.tsx'
import { nameOf, tellEdge } from './edge-text.ts'
import { nodeAddress } from './node-address.ts'
import { ZoomedPicture } from './zoomed-picture.tsx'

export function OverviewView() {
  const { value, problem } = useLatest<Overview>('/api/overview')
  const overview = value.value
  return (
    <>
      <Headline overview={overview} />
      <Problem problem={problem.value} isLoading={overview === undefined} />
      {overview !== undefined && <Living overview={overview} />}
    </>
  )
}

/** What is wrong first. */
function Headline({ overview }: { overview: Overview | undefined }) {
  const nodes = overview?.nodes ?? []
  const down = nodes.filter((node) => node.state === 'down')
  const starting = nodes.filter((node) => node.state === 'starting')
  const asleep = nodes.filter((node) => node.state === 'asleep')
  const headline =
    overview === undefined
      ? 'Overview'
      : down.length > 0
        ? `${count(down.length, 'part is', 'parts are')} down`
        : starting.length > 0
          ? `${count(starting.length, 'part is', 'parts are')} starting`
          : nodes.some(({ kind, state }) => kind === 'gateway' && state === 'unknown')
            ? 'pnpm start does not answer'
            : 'Everything is up'
  useTold(headline, overview !== undefined)
  return (
    <div class="head">
      <div class="row">
        <h1>{headline}</h1>
        {down.map((node) => (
          <a key={node.id} class="chip bad" href={nodeAddress(node)}>
            {node.name}
            {node.reason === undefined ? '' : `: ${node.reason}`}
          </a>
        ))}
      </div>
      <p>
        {asleep.length > 0 && `${count(asleep.length, 'sink')} asleep. `}
        {down.length === 0 && (
          <>
            <a href={href('break')}>Break something</a> and watch.
          </>
        )}
      </p>
    </div>
  )
}

/** Tells a screen reader what changed, not what was so from the beginning. */
function useTold(headline: string, isKnown: boolean): void {
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!isKnown) return
    if (before.current !== undefined && before.current !== headline) announce(headline)
    before.current = headline
  }, [headline, isKnown])
}

function Living({ overview }: { overview: Overview }) {
  if (overview.nodes.length === 0) return <Empty>Nothing runs yet.</Empty>
  return (
    <>
      <ZoomedPicture overview={overview} />
      <Breakers />
      <details class="card" open={isNarrow.value}>
        <summary>The same as a list</summary>
        <ul class="parts">
          {overview.nodes.map((node) => (
            <li key={node.id}>
              <a href={nodeAddress(node)}>{nameOf(node.id)}</a> <span class="muted">{node.kind}</span>{' '}
              <State state={node.state} /> {node.reason}
              <ul>
                {overview.edges
                  .filter((edge) => edge.from === node.id)
                  .map((edge) => (
                    <li key={`${edge.to} ${edge.kind}`}>{tellEdge(edge)}</li>
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
