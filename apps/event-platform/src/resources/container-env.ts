/** Names that a container may set. */
const NAME = /^[A-Z][A-Z0-9_]{0,127}$/

/** Variables of our services that contain a reserved word. */
const ALLOWED = new Set(['HEALTH_ROOT_PATH', 'EXTERNAL_URL_PATH'])

/**
 * First words of names that the dynamic linker, the C library, Node, OpenSSL, ICU, shells and package managers read, that say where a
 * process listens, or that belong to this platform.
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
 * Whether a container may set this variable. Containers run as processes of this machine, and some variables make a runtime load other
 * code: only names shaped like settings are allowed, and no reserved ones.
 */
export function isContainerVariable(name: string): boolean {
  if (!NAME.test(name)) return false
  if (ALLOWED.has(name)) return true
  return !RESERVED_FIRST_WORDS.has(name.split('_', 1)[0] ?? '') && !RESERVED.test(name)
}

const EXPORTER = /^OTEL_EXPORTER_/
const ENDPOINT = /^OTEL_EXPORTER_.*ENDPOINT$/

/**
 * The variables of a process: the platform's and, on top, the container's. Who exports to an endpoint of its own gets none of the platform's
 * settings of exporters: headers may hold a key, which is not for that endpoint.
 */
export function processVariables(
  platform: Readonly<Record<string, string>>,
  container: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = containerVariables(container)
  const hasEndpoint = Object.keys(own).some((name) => ENDPOINT.test(name))
  const base = Object.entries(platform).filter(([name]) => !hasEndpoint || !EXPORTER.test(name))
  return { ...Object.fromEntries(base), ...own }
}

/** The allowed variables; checked again before a start, however the container was admitted. */
function containerVariables(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isContainerVariable(name)))
}
