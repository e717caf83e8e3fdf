/** What the reader of variables says of each. */
export interface NotedRead {
  readonly name: string
  readonly found: { readonly name: string; readonly value: string } | undefined
  readonly default: unknown
  readonly expected?: string | undefined
  readonly isSecret: boolean
}

/** An environment that is told what is read of it. */
export const NOTE = Symbol('note of reads')

/** Names of variables whose values are hidden even without `secret`. */
const SECRET_NAME = /PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIAL|PRIVATE_?KEY|(^|[._])(API_?KEY|TOKEN)$/i

/** Whether a variable is a secret by its name. */
export function hasSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Tells an environment of `recordReads` what is read of it. */
export function noteRead(env: { readonly [NOTE]?: (read: NotedRead) => void }, read: NotedRead): void {
  env[NOTE]?.(read)
}
