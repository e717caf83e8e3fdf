import type { JoinRequest } from './join-and-sync.ts'
import type { Member } from './member.ts'

/** The protocols that all of these members offer. Takes time in proportion to the number of offers. */
function offeredByAll(members: readonly Pick<JoinRequest, 'protocols'>[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { protocols } of members) {
    for (const name of new Set(protocols.map((each) => each.name))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count === members.length).map(([name]) => name))
}

/** Whether all others offer something that this member offers too. */
export function canShare(request: JoinRequest, others: readonly Member[]): boolean {
  return request.protocolType !== '' && offeredByAll([request, ...others]).size > 0
}

/** Every member votes for the first of its offers that all share; the most votes win, the earlier one in a tie. */
export function chooseProtocol(members: readonly Member[]): string {
  const shared = offeredByAll(members)
  const votes = new Map<string, number>()
  for (const member of members) {
    const vote = member.protocols.find(({ name }) => shared.has(name))
    if (vote) votes.set(vote.name, (votes.get(vote.name) ?? 0) + 1)
  }
  const [winner] = [...votes].sort((a, b) => b[1] - a[1])
  return winner?.[0] ?? ''
}
