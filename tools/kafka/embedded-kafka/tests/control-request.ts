export interface ControlAnswer {
  readonly status: number
  readonly type: string | null
  readonly allow: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the test says what is in it
  readonly body: any
}

/** Asks the control API: `POST /rules`; a text is sent as it is, anything else as JSON. */
export async function controlRequest(
  port: number | undefined,
  request: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ControlAnswer> {
  const [method = '', path = ''] = request.split(' ')
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent })
  const text = await answer.text()
  const [type, allow] = ['content-type', 'allow'].map((name) => answer.headers.get(name))
  return { status: answer.status, type: type ?? null, allow: allow ?? null, body: text && JSON.parse(text) }
}
