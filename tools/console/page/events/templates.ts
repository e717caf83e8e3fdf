export interface EventDraft {
  readonly type: string
  readonly source: string
  readonly id: string
  readonly data: string
  /** Further attributes, as lines of `name: value`. */
  readonly extensions: string
}

const draft = (type: string, data: unknown): Omit<EventDraft, 'id'> => ({
  type,
  source: '/console',
  data: JSON.stringify(data, undefined, 2),
  extensions: '',
})

/** Events to start from; triggers filter by their type. */
export const TEMPLATES = {
  greeting: draft('greeting', { message: 'hello' }),
  aloha: draft('aloha', { message: 'aloha' }),
  bonjour: draft('bonjour', { message: 'bonjour' }),
} satisfies Readonly<Record<string, Omit<EventDraft, 'id'>>>

/** As the API takes it: attributes and data of a CloudEvent. */
export function eventOf({ type, source, id, data, extensions }: EventDraft): Record<string, unknown> {
  const lines = extensions.split('\n').filter((line) => line.trim() !== '')
  const more = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    if (at < 1) throw new Error(`Attribute "${line}": expected name: value`)
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  return {
    specversion: '1.0',
    id,
    source,
    type,
    ...Object.fromEntries(more),
    ...(data.trim() === '' ? {} : { datacontenttype: 'application/json', data: parsedData(data) }),
  }
}

function parsedData(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new Error('Data is not valid JSON', { cause })
  }
}
