import { parseJson } from '@taproom/core/limits'
import { readBody } from '@taproom/http'

const TIME_MS = 3000
const MAX_BYTES = 65_536

/** Asks a control of this machine. The body is undefined where there is none, or no JSON. */
export async function askControl(
  port: number,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    signal: AbortSignal.timeout(TIME_MS),
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const bytes = await readBody(response.body, MAX_BYTES)
  return { status: response.status, body: parsed(bytes?.toString() ?? '') }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
