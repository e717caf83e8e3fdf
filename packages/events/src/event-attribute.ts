import type { CloudEvent } from './cloud-event.ts'
import { essenceOf } from './media-type.ts'

/**
 * Looks up an attribute by its name in filters: core attributes, Knative's `schemaurl` (dataschema) and `datamediatype` (datacontenttype
 * without parameters), else an extension.
 */
export function attributeOf(event: CloudEvent, name: string): string | undefined {
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
  return Object.hasOwn(event.extensions, name) ? event.extensions[name] : undefined
}
