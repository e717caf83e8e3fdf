/** The context of subjects that name none. */
export const DEFAULT_CONTEXT = '.'

/** A context and the rest: `:.beers:orders-value` is `orders-value` in the context `.beers`. */
const QUALIFIED = /^:(\.[^:]*):/

/** The context of a subject, with its dot. */
export function contextOf(subject: string): string {
  return QUALIFIED.exec(subject)?.[1] ?? DEFAULT_CONTEXT
}

/** The subject without its context; empty for a context alone. */
export function nameOf(subject: string): string {
  return subject.replace(QUALIFIED, '')
}

/** The subject as seen from a context: one that names a context itself stays in that one. The default context is not written. */
export function inContext(context: string, subject: string): string {
  const named = QUALIFIED.exec(subject)?.[1] ?? context
  return named === DEFAULT_CONTEXT ? nameOf(subject) : `:${named}:${nameOf(subject)}`
}

/** True for subjects that a prefix selects: without a context of the default one, with `:*:` of all. */
export function hasPrefix(subject: string, prefix: string): boolean {
  if (prefix.startsWith(':*:')) return nameOf(subject).startsWith(prefix.slice(3))
  return contextOf(subject) === contextOf(prefix) && nameOf(subject).startsWith(nameOf(prefix))
}
