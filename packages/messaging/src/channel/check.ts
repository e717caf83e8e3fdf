import type { HealthCheck } from '@taproom/core/health'

/** The state behind a channel's liveness check. */
export interface ChannelState {
  /** Why it has stopped, with the strategy `fail`. */
  readonly failure: string | undefined
  /** Records that could not be decoded. */
  readonly unreadable: number
  /** The last of them, and why. */
  readonly lastUnreadable: string | undefined
}

/** The liveness of a channel: DOWN after a failure with the strategy `fail`. Its data name records that could not be decoded. */
export function livenessCheck(name: string, state: () => ChannelState): HealthCheck {
  return {
    name,
    cacheMs: 0,
    check() {
      const { failure, unreadable, lastUnreadable } = state()
      const data = {
        ...(failure !== undefined && { reason: failure }),
        ...(lastUnreadable !== undefined && { unreadable, lastUnreadable }),
      }
      const status = failure === undefined ? 'UP' : 'DOWN'
      return Object.keys(data).length === 0 ? { status } : { status, data }
    },
  }
}
