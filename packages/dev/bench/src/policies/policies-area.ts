import { createGuard } from '@taproom/resilience'
import type { Area, Contender } from '../area.ts'
import { inProcess } from '../in-process.ts'
import { cockatielPolicies } from './cockatiel-policies.ts'
import { POLICIES } from './film-policies.ts'
import { openOpossum } from './opossum-breaker.ts'

const CALLS = 100_000
const film = { title: 'A New Hope' }
const nothing = { title: '' }

/** The cost of policies around a call that succeeds at once and costs nothing itself. */
export async function openPoliciesArea(opened: AsyncDisposableStack): Promise<Area> {
  const { retry, timeout, circuitBreaker } = POLICIES
  const fallback = { handler: () => nothing }
  const four = createGuard({ name: 'film', retry, timeout, circuitBreaker, fallback })
  const three = createGuard({ name: 'film', timeout, circuitBreaker, fallback })
  const cockatiel = cockatielPolicies(POLICIES, nothing)
  const opossum = openOpossum(call, POLICIES, nothing)
  opened.defer(() => opossum.shutdown())
  const contender = (name: string, run: () => unknown): Contender => inProcess(name, run, { calls: CALLS })

  const ours = contender('guard', () => four.execute(call))
  return {
    unit: 'calls per CPU second',
    rows: [
      { what: 'all four policies', ours, peer: contender('plain call', call), atMostLonger: 15e-6 },
      { what: 'all four policies', ours, peer: contender('cockatiel', () => cockatiel.execute(call)) },
      {
        what: 'timeout, breaker, fallback',
        ours: contender('guard', () => three.execute(call)),
        peer: contender('opossum', () => opossum.fire()),
      },
    ],
  }
}

async function call(): Promise<typeof film> {
  return film
}
