import type { Verdict } from '../api/verdicts.ts'
import { fullName } from './eventing-facts.ts'
import type { Facts } from './facts.ts'

/** Verdicts of brokers that cannot take events. */
export function brokerVerdicts({ eventing }: Facts): readonly Verdict[] {
  return eventing.brokers.flatMap(({ ready, reason = '', message = '', ...broker }) => {
    if (ready === 'True') return []
    const name = fullName(broker)
    return {
      part: `broker/${name}`,
      severity: 'error',
      problem: `broker ${name} is not ready: ${message || reason || 'its topic does not exist yet'}`,
      evidence: { ready, reason, message },
      remedy:
        'The platform tries again until it is ready. Check that Kafka answers and allows the platform to create topics.',
    }
  })
}
