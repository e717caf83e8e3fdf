/** A whole request, as a reader of a connection sees it. */
export interface SeenRequest {
  readonly method: string
  readonly target: string
  /** Lines in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** A request in a few words. */
export function describeRequest({ method, target, body }: SeenRequest): string {
  return `${method} ${target.slice(0, 100)} with ${body.length} bytes`
}
