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

/** The liveness of a channel: DOWN after a failure with the strategy `fail`. */
export function livenessCheck(name: string, failure: () => string | undefined): ChannelCheck {
  return {
    name,
    check() {
      const reason = failure()
      return reason === undefined ? { status: 'UP' } : { status: 'DOWN', data: { reason } }
    },
  }
}
