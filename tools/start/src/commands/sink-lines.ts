import { isJsonObject, parseJson } from '@taproom/core/limits'
import { reasonWithCause, visible } from '@taproom/core/lines'
import { textTable } from '../output/text-table.ts'

const TIMEOUT_MS = 2000
const HEAD = ['sink', 'state', 'instances', 'why it is not ready']

/** The sinks of the event platform as a table; one line when the resource API does not answer, none when there are no sinks. */
export async function sinkLines(resourceApi: string): Promise<readonly string[] | undefined> {
  try {
    const url = `${resourceApi}/apis/serving.knative.dev/v1/services`
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const answer = parseJson(await response.text())
    const items = isJsonObject(answer) && Array.isArray(answer['items']) ? answer['items'] : undefined
    if (!response.ok || items === undefined) throw new Error(`it answered ${response.status}`)
    return items.length === 0 ? undefined : textTable([HEAD, ...items.filter(isJsonObject).map(sinkRow)])
  } catch (error) {
    return [`sinks are not known: the resource API at ${resourceApi} does not answer: ${reasonWithCause(error)}`]
  }
}

function sinkRow({ metadata, status }: Readonly<Record<string, unknown>>): readonly string[] {
  const { namespace, name } = objectOf(metadata)
  const { actualReplicas, conditions } = objectOf(status)
  const instances = typeof actualReplicas === 'number' ? actualReplicas : 0
  const all = Array.isArray(conditions) ? conditions.filter(isJsonObject) : []
  const ready = objectOf(all.find(({ type }) => type === 'Ready'))
  const isReady = ready['status'] === 'True'
  const why = isReady ? '' : String(ready['message'] ?? ready['reason'] ?? '')
  const state = isReady ? (instances > 0 ? 'ready' : 'asleep') : 'not ready'
  return [visible(`${namespace}/${name}`), state, String(instances), visible(why)]
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}
