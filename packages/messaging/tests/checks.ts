import type { CheckOutcome, HealthCheck } from '@taproom/core/health'
import { waitFor } from '@taproom/testkit'

interface Checked {
  readonly check: HealthCheck
}

export async function outcomeOf({ check }: Checked): Promise<CheckOutcome> {
  return await check.check(AbortSignal.timeout(30_000))
}

/** Waits until the channel is not ready for a reason, and gives the reason. */
export async function reasonWhenDown(
  channel: Checked,
  isExpected: (reason: string) => boolean = () => true,
): Promise<string> {
  let reason = ''
  await waitFor('the reason', async () => {
    const { status, data } = await outcomeOf(channel)
    reason = status === 'DOWN' ? String(data?.['reason'] ?? '') : ''
    return reason !== '' && isExpected(reason)
  })
  return reason
}

export async function untilUp(...channels: readonly Checked[]): Promise<void> {
  for (const channel of channels) {
    await waitFor('readiness', async () => (await outcomeOf(channel)).status === 'UP')
  }
}
