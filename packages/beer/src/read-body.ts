/** Reads a response's body as bytes, giving up as soon as it exceeds the limit: `undefined` then, the rest is not read. */
export async function readBody(response: Response, limitBytes: number): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    if (length > limitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
