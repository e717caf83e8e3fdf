import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Headers of every answer that does not say otherwise: nobody guesses another type, and no address is passed on. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Makes responses send `headers` besides those that their handlers give; a handler's own header of the same name wins, but `Vary` is joined.
 * It adds them as the head is written: headers that are set before make Node merge all others one by one, which costs more than they do.
 */
export function addsHeaders(headers: Readonly<Record<string, string>>): (res: ServerResponse) => void {
  const added = Object.entries(headers).map(([name, value]) => ({ name, key: name.toLowerCase(), value }))

  function writeHead(this: ServerResponse, status: number, phrase?: string | Given, given?: Given): ServerResponse {
    const own = flat(typeof phrase === 'string' ? given : phrase)
    const all: Given = Array.isArray(own) ? [...own] : { ...own }
    for (const { name, key, value } of added) {
      if (key !== 'vary' && (this.hasHeader(name) || hasName(own, key))) continue
      if (key === 'vary' && this.hasHeader(name) && !hasName(own, key)) this.appendHeader(name, value)
      else if (Array.isArray(all)) all.push(name, value)
      else if (key === 'vary') joinVary(all, value)
      else all[name] = value
    }
    // As Node takes a phrase that is given with the head.
    if (typeof phrase === 'string') this.statusMessage = phrase
    return ServerResponse.prototype.writeHead.call(this, status, all)
  }

  return (res) => {
    // A property of the response itself: its prototype may be express'.
    res.writeHead = writeHead
  }
}

/** Node takes a list of pairs as well, but not beside headers that were set before. */
function flat(given: Given | undefined): Given | undefined {
  return Array.isArray(given) && Array.isArray(given[0]) ? (given.flat() as OutgoingHttpHeader[]) : given
}

/** A handler's own `Vary` holds as well. */
function joinVary(all: OutgoingHttpHeaders, value: string): void {
  const own = Object.keys(all).find((name) => isName(name, 'vary'))
  if (own === undefined) all['Vary'] = value
  else all[own] = `${all[own]}, ${value}`
}

function hasName(given: Given | undefined, key: string): boolean {
  if (given === undefined) return false
  if (Array.isArray(given)) return given.some((name, index) => index % 2 === 0 && isName(String(name), key))
  for (const name in given) if (isName(name, key)) return true
  return false
}

function isName(name: string, key: string): boolean {
  return name.length === key.length && name.toLowerCase() === key
}
