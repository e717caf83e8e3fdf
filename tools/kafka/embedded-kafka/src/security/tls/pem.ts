/** The blocks of a PEM text with these labels, each with lines as Node wants them: in a property they may be on one line. */
export function pemBlocks(text: string, labels: RegExp): readonly string[] {
  const blocks: string[] = []
  for (const [, label = '', body = ''] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g)) {
    if (!labels.test(label)) continue
    const lines = body
      .replaceAll(/\s+|\\n/g, '')
      .replaceAll(/.{64}/g, '$&\n')
      .trimEnd()
    blocks.push(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`)
  }
  return blocks
}

export const CERTIFICATE = /^CERTIFICATE$/
export const PRIVATE_KEY = /^(?:ENCRYPTED |RSA |EC )?PRIVATE KEY$/
