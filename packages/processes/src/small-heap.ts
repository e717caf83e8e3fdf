/**
 * Node arguments of a service: each space for new objects grows to 16 MiB instead of 32, and old objects are collected when there is half as
 * much again of them, instead of up to four times as much. After a load a process is about half as large, for the same processor time.
 *
 * V8 does not guess which new objects will grow old: it does so by the first requests, while the space for new objects is small. An exchange
 * that is old from the start keeps the next one of its connection, and all that it holds, until old objects are collected.
 */
export const SMALL_HEAP: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
]

/**
 * Environment of a service, beside {@link SMALL_HEAP}: glibc takes memory from two areas instead of one for each thread, up to eight per core. V8
 * and libuv have some ten threads, and what one of them frees in its own area is of no use to others: 15 MiB less after a load, for the same
 * processor time. Other C libraries ignore it.
 */
export const FEW_ARENAS: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' }
