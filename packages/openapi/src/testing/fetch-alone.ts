/**
 * The global `fetch` over a connection of its own, following no redirect. One that is kept may be closed by the other side at the moment it
 * is used, which says nothing of the answer; a busy machine makes that likely.
 */
export function fetchAlone(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  return fetch(url, { redirect: 'manual', ...init, headers })
}
