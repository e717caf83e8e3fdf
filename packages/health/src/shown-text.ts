/** Characters shown of a text, and searched for secrets: more than are shown, so that no secret is cut in its middle before it is found. */
const LONGEST = 500
const READ = 10 * LONGEST

/** User and password in a URL. */
const CREDENTIALS = /(?<=:\/\/)[^\s/?#@]*@/g

/** Values whose names say that they are secret, in URLs, connection strings and headers. */
const SECRET =
  /\b(password|passwd|pwd|secret|token|access_token|api[_-]?key|authorization)(["']?\s*[=:]\s*["']?)(?:(?:Bearer|Basic)\s+)?[^\s&"',;]+/gi

/** A token that stands alone (RFC 6750), or a JWT. */
const TOKEN = /\bBearer\s+[^\s"',;]+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gi

/**
 * A text that is safe to publish. Errors of libraries and remote servers may quote what they were given, such as a database's URL: credentials
 * are replaced by stars and the text is cut.
 */
export function shownText(text: string): string {
  const safe = text
    .slice(0, READ)
    .replaceAll(CREDENTIALS, '***@')
    .replaceAll(SECRET, '$1$2***')
    .replaceAll(TOKEN, '***')
  return safe.length > LONGEST ? `${safe.slice(0, LONGEST)}…` : safe
}
