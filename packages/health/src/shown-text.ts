/** Characters of a text that a report shows, and that are looked through: what is starred out must not be cut in its middle. */
const LONGEST = 500
const READ = 10 * LONGEST

/** What stands between `//` and `@` of a URL: a user, mostly with a password. */
const CREDENTIALS = /(?<=:\/\/)[^\s/?#@]*@/g

/** Values that say by their names what they are, in URLs, connection strings and headers. */
const SECRET =
  /\b(password|passwd|pwd|secret|token|access_token|api[_-]?key|authorization)(["']?\s*[=:]\s*["']?)(?:(?:Bearer|Basic)\s+)?[^\s&"',;]+/gi

/** A token that stands alone (RFC 6750), or a JWT. */
const TOKEN = /\bBearer\s+[^\s"',;]+|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gi

/**
 * A text as everybody who can ask may see it: errors of libraries and of remote servers carry what they were given, such as a database's URL.
 * Credentials are starred out and the text is cut short.
 */
export function shownText(text: string): string {
  const safe = text
    .slice(0, READ)
    .replaceAll(CREDENTIALS, '***@')
    .replaceAll(SECRET, '$1$2***')
    .replaceAll(TOKEN, '***')
  return safe.length > LONGEST ? `${safe.slice(0, LONGEST)}…` : safe
}
