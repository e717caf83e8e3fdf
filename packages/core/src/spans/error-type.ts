/** The value of `error.type`: the error's code, else its class; `_OTHER` for what is neither error nor word. */
export function errorTypeOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
