/** Has the shape that `@taproom/health` expects. */
export interface ChannelCheckOutcome {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/** A channel's health check, in the shape that `@taproom/health` expects. */
export interface ChannelCheck {
  readonly name: string
  /** How long its outcome may be given again, in milliseconds: 0, because it asks nobody. Default: as the reporter has it. */
  readonly cacheMs?: number
  check(signal: AbortSignal): ChannelCheckOutcome | Promise<ChannelCheckOutcome>
}

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
export function livenessCheck(name: string, state: () => ChannelState): ChannelCheck {
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
