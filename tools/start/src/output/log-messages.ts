/** Message of the line about a service that ended by itself. */
export const ENDED = 'ended, to be started again'
/** Message of the line about a program that now runs its changed sources. */
export const RELOADED = 'restarted with changed sources'
/** Message of the line about a program whose changed sources cannot be run. */
export const RELOAD_FAILED = 'changed sources do not work, what ran before goes on'
