import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** Reads the server-sent events of an answer to its end. */
export async function eventsOf({ body }: Response, onEvent: (event: EventSourceMessage) => void): Promise<void> {
  const parser = createParser({ onEvent })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    parser.feed(read.value)
  }
}
