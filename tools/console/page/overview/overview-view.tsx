import { useEffect, useRef } from 'preact/hooks'
import type { BreakerView } from '../../src/api/breakers.ts'
import type { Overview } from '../../src/api/system.ts'
import { href } from '../address.ts'
import type { Items } from '../api.ts'
import { Breakers } from '../breakers/breakers.tsx'
import { FirstCards } from '../first-cards/first-cards.tsx'
import { useLatest, usePolled } from '../live.ts'
import { nodeAddress } from '../node-address.ts'
import { announce } from '../pieces/announce.ts'
import { count } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { State } from '../pieces/state.tsx'
import { nameOf, tellEdge } from './edge-text.ts'
import { ZoomedPicture } from './zoomed-picture.tsx'

const BREAKERS_MS = 1000

export function OverviewView() {
  const { value, problem } = useLatest<Overview>('/api/overview')
  const overview = value.value
  const breakers = usePolled<Items<BreakerView>>('/api/breakers', BREAKERS_MS).value.value?.items ?? []
  return (
    <>
      <Headline overview={overview} />
      <FirstCards breakers={breakers} />
      <Problem problem={problem.value} isLoading={overview === undefined} />
      {overview !== undefined && <Living overview={overview} breakers={breakers} />}
    </>
  )
}

/** The state of the system in a few words, parts that are down first. */
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
  useAnnounced(headline, overview !== undefined)
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
        {down.length === 0 && <a href={href('break')}>Inject a fault</a>}
      </p>
    </div>
  )
}

/** Announces a changed headline to screen readers; the first one is part of the page. */
function useAnnounced(headline: string, isKnown: boolean): void {
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!isKnown) return
    if (before.current !== undefined && before.current !== headline) announce(headline)
    before.current = headline
  }, [headline, isKnown])
}

function Living({ overview, breakers }: { overview: Overview; breakers: readonly BreakerView[] }) {
  if (overview.nodes.length === 0) return <Empty>No services yet. They appear here when pnpm start starts them.</Empty>
  return (
    <>
      <ZoomedPicture overview={overview} />
      <Breakers items={breakers} />
      <details class="card" open={isNarrow.value}>
        <summary>Parts and calls as a list</summary>
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
