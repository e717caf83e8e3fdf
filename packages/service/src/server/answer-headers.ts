/** Headers of every answer, unless a handler sets its own: browsers guess no other type, and no address is passed on. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
