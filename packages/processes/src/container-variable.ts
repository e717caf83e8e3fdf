/** Names that a container may set. */
const NAME = /^[A-Z][A-Z0-9_]{0,127}$/

/** Variables of our services that contain a reserved word. */
const ALLOWED = new Set(['HEALTH_ROOT_PATH', 'EXTERNAL_URL_PATH'])

/**
 * First words of names that the dynamic linker, the C library, Node, OpenSSL, ICU, shells and package managers read, that say where a
 * process listens, or that belong to event-platform.
 */
const RESERVED_FIRST_WORDS: ReadonlySet<string> = new Set(
  `NODE UV V8 ICU COREPACK TS TSX WATCH ELECTRON
  LD DYLD GLIBC MALLOC GCONV LOCPATH NLSPATH GETCONF LIBC RES RESOLV GMON HOSTALIASES LOCALDOMAIN
  OPENSSL SSL SSLKEYLOGFILE NSS CURL
  PATH HOME PWD OLDPWD SHELL USER LOGNAME TMPDIR TMP TEMP TZDIR TERM TERMINFO TERMCAP XDG
  BASH BASHOPTS SHELLOPTS ENV IFS CDPATH PS4 PROMPT ZDOTDIR EDITOR VISUAL PAGER
  NPM PNPM YARN BUN DENO GIT
  HOST PORT MANAGEMENT K KUBE KUBERNETES TAPROOM MANIFESTS RESOURCES APPS LISTEN NOTIFY`.split(/\s+/),
)

/** Names of interpreters, of what programs load, and of what makes a service of ours speak TLS, which its instance must not. */
const RESERVED = /^(?:PYTHON|PERL|RUBY|JAVA|JDK|HTTP_SSL_)|(?:PATH|PRELOAD|OPTIONS|OPTS|PROXY|TUNABLES)$/

/**
 * True for a variable that a container may set where it runs as a process of this machine. Some variables make a runtime load other code:
 * only names shaped like settings are allowed, and no reserved ones.
 *
 * @example
 * isContainerVariable('DATABASE_URL') // true
 * isContainerVariable('NODE_OPTIONS') // false
 */
export function isContainerVariable(name: string): boolean {
  if (!NAME.test(name)) return false
  if (ALLOWED.has(name)) return true
  return !RESERVED_FIRST_WORDS.has(name.split('_', 1)[0] ?? '') && !RESERVED.test(name)
}
