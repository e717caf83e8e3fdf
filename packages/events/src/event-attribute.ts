import type { CloudEventV1 } from 'cloudevents'
import { essenceOf } from './media-type.ts'
import { canonical } from './written-event.ts'

/**
 * Looks up an attribute by its name in filters: core attributes, Knative's `schemaurl` (dataschema) and `datamediatype` (datacontenttype
 * without parameters), else an extension.
 */
export function attributeOf(event: CloudEventV1<unknown>, name: string): string | undefined {
  switch (name) {
    case 'specversion':
    case 'id':
    case 'source':
    case 'type':
    case 'subject':
    case 'time':
    case 'dataschema':
    case 'datacontenttype':
      return event[name]
    case 'schemaurl':
      return event.dataschema
    case 'datamediatype':
      return event.datacontenttype === undefined ? undefined : essenceOf(event.datacontenttype)
  }
  if (name === 'data' || name === 'data_base64' || !Object.hasOwn(event, name)) return undefined
  const value = event[name]
  return value === undefined || value === null ? undefined : canonical(name, value)
}
