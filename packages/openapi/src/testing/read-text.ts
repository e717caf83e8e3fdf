/** Limits the characters of a body: the system under test is not trusted. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/** The body of an answer as text. @throws {Error} when it has more than four million characters */
export async function readText({ body }: Pick<Response, 'body'>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MOST_CHARACTERS) throw new Error(`the answer has more than ${MOST_CHARACTERS} characters`)
  }
  return text + decoder.decode()
}
