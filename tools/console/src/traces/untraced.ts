import { randomBytes } from 'node:crypto'

/**
 * Headers of a request that is in no trace: W3C Trace Context with the flag that it is not sampled. What the console asks again and again is
 * not what people look for among their traces.
 */
export function untraced(): { readonly traceparent: string } {
  return { traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00` }
}
