import {
  checkMediaType,
  checkNonEmpty,
  checkString,
  checkTimestamp,
  checkUri,
  checkUriReference,
  isAttributeName,
} from './attribute-rules.ts'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'

/** Extensions by name, with nothing inherited: what is not there is undefined, `constructor` too. An object of a class is quicker than one without prototype. */
class Extensions {
  [name: string]: string
}
Object.setPrototypeOf(Extensions.prototype, null)
Reflect.deleteProperty(Extensions.prototype, 'constructor')

const NO_EXTENSIONS: Readonly<Record<string, string>> = Object.freeze(new Extensions())

/** An event while its attributes are being read, each one checked as it is set. */
export interface EventDraft {
  id?: string
  source?: string
  type?: string
  subject?: string
  time?: string
  dataschema?: string
  datacontenttype?: string
  extensions?: Record<string, string>
}

/** Sets one attribute of the draft; throws an `EventError` naming the attribute when a rule of the specification is broken. */
export function setAttribute(draft: EventDraft, name: string, value: string): void {
  checkString(name, value)
  setAsciiAttribute(draft, name, value)
}

/** Like {@link setAttribute}, for a value that is known to be of printable ASCII. */
export function setAsciiAttribute(draft: EventDraft, name: string, value: string): void {
  switch (name) {
    case 'specversion':
      checkSpecversion(value)
      return
    case 'id':
    case 'type':
    case 'subject':
      checkNonEmpty(name, value)
      draft[name] = value
      return
    case 'source':
      checkUriReference(name, value)
      draft.source = value
      return
    case 'time':
      checkTimestamp(name, value)
      draft.time = value
      return
    case 'dataschema':
      checkUri(name, value)
      draft.dataschema = value
      return
    case 'datacontenttype':
      checkMediaType(name, value)
      draft.datacontenttype = value
      return
  }
  // `data` is the payload's name in every format, so no attribute may bear it.
  if (!isAttributeName(name) || name === 'data') {
    throw new EventError(
      'invalid-attribute-name',
      name,
      `attribute name ${JSON.stringify(name)} must be of a-z and 0-9`,
    )
  }
  draft.extensions ??= new Extensions()
  draft.extensions[name] = value
}

/** Throws unless the value is exactly `1.0`. */
export function checkSpecversion(value: string | undefined): void {
  if (value === undefined) throw missing('specversion')
  if (value !== '1.0') {
    throw new EventError('unsupported-specversion', 'specversion', 'specversion must be 1.0')
  }
}

/** The finished event; throws an `EventError` when a required attribute is missing. */
export function finishEvent(draft: EventDraft, data: Buffer | undefined): CloudEvent {
  const { id, source, type } = draft
  if (id === undefined) throw missing('id')
  if (source === undefined) throw missing('source')
  if (type === undefined) throw missing('type')
  // Built member by member: spreading what is there into what is not costs as much as all the rest.
  const event: Writable<CloudEvent> = {
    specversion: '1.0',
    id,
    source,
    type,
    extensions: draft.extensions ?? NO_EXTENSIONS,
  }
  if (draft.subject !== undefined) event.subject = draft.subject
  if (draft.time !== undefined) event.time = draft.time
  if (draft.dataschema !== undefined) event.dataschema = draft.dataschema
  if (draft.datacontenttype !== undefined) event.datacontenttype = draft.datacontenttype
  if (data !== undefined) event.data = data
  return event
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function missing(attribute: string): EventError {
  return new EventError('missing-attribute', attribute, `${attribute} is required`)
}
