import type { JoinRequest, Member } from './member.ts'

function offers(member: Member, protocolName: string): boolean {
  return member.protocols.some(({ name }) => name === protocolName)
}

/** Whether a member with these offers finds one that all others share. */
export function canShare({ protocolType, protocols }: JoinRequest, others: readonly Member[]): boolean {
  return protocolType !== '' && protocols.some(({ name }) => others.every((member) => offers(member, name)))
}

/** Every member votes for its first offer that all share; the first of those with the most votes wins. */
export function chooseProtocol(members: readonly Member[]): string {
  const votes = new Map<string, number>()
  for (const member of members) {
    const vote = member.protocols.find(({ name }) => members.every((other) => offers(other, name)))
    if (vote) votes.set(vote.name, (votes.get(vote.name) ?? 0) + 1)
  }
  const [winner] = [...votes].sort((a, b) => b[1] - a[1])
  return winner?.[0] ?? ''
}
