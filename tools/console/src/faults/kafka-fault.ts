import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { askControl } from './ask-control.ts'

/** When the embedded Kafka, away at the moment, comes back, in milliseconds since 1970; undefined when it is not away. */
export async function readAway(controlPort: number): Promise<number | undefined> {
  const ends = (await awayRules(controlPort)).map(({ expiresInMs }) => Number(expiresInMs))
  return ends.length === 0 ? undefined : Date.now() + Math.max(...ends)
}

/** Takes it away for some seconds; 0 brings it back. */
export async function setAway(controlPort: number, seconds: number): Promise<void> {
  const before = await awayRules(controlPort)
  if (seconds > 0) {
    const rule = { kind: 'away', expiresInMs: Math.round(seconds * 1000) }
    const { status } = await askControl(controlPort, 'POST', '/rules', rule)
    if (status !== 201) throw new Error(`POST /rules answers ${status}`)
  }
  for (const { id } of before) await askControl(controlPort, 'DELETE', `/rules/${encodeURIComponent(String(id))}`)
}

async function awayRules(controlPort: number): Promise<JsonObject[]> {
  const { status, body } = await askControl(controlPort, 'GET', '/rules')
  const rules = isJsonObject(body) ? body['rules'] : undefined
  if (status !== 200 || !Array.isArray(rules)) throw new Error(`GET /rules answers ${status}`)
  return rules.filter(isJsonObject).filter(({ kind }) => kind === 'away')
}
