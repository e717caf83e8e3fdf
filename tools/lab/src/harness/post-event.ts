import { pause } from '@taproom/core/time'

interface PostedEvent {
  readonly id: string
  readonly type: string
  readonly source: string
}

/** An event's data, by which a delivery is checked. */
export function dataOf(id: string): string {
  return JSON.stringify({ of: id })
}

/** The answer's status; undefined when there is none within this time. */
async function post(url: string, event: PostedEvent, timeoutMs: number): Promise<number | undefined> {
  const { id, type, source } = event
  const attributes = { 'ce-id': id, 'ce-type': type, 'ce-source': source, 'ce-specversion': '1.0' }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...attributes, 'content-type': 'application/json' },
      body: dataOf(id),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

interface Patience {
  readonly timeoutMs: number
  readonly againMs: number
  readonly signal: AbortSignal
  /** Gets each status but 202, undefined for no answer; true: the event is not posted again. */
  onRefusal(status: number | undefined): boolean
}

/** Posts an event until it is answered 202, as any client would; false when it was not. */
export async function postUntilAccepted(
  url: string,
  event: PostedEvent,
  { timeoutMs, againMs, signal, onRefusal }: Patience,
): Promise<boolean> {
  while (!signal.aborted) {
    const status = await post(url, event, timeoutMs)
    if (status === 202) return true
    if (onRefusal(status)) return false
    await pause(againMs, signal)
  }
  return false
}
