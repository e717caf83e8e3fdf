interface PostedEvent {
  readonly id: string
  readonly type: string
  readonly source: string
}

/** An event's data, by which a delivery is checked. */
export function dataOf(id: string): string {
  return JSON.stringify({ of: id })
}

/** Posts an event, and gives the answer's status; undefined when there is none within this time. */
export async function postEvent(url: string, event: PostedEvent, timeoutMs: number): Promise<number | undefined> {
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
