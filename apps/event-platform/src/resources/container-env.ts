/** The shape of every variable's name that a container may be given. */
const NAME = /^[A-Z][A-Z0-9_]{0,127}$/

/** Variables of the services that are allowed although a word of theirs is reserved. */
const ALLOWED = new Set(['HEALTH_ROOT_PATH', 'EXTERNAL_URL_PATH'])

/**
 * First words of the names that the dynamic linker, the C library, Node, OpenSSL, ICU, shells and package managers read, that say where a
 * process listens, or that belong to this platform.
 */
const RESERVED_FIRST_WORDS = new Set([
  ...['NODE', 'UV', 'V8', 'ICU', 'COREPACK', 'TS', 'TSX', 'WATCH', 'ELECTRON'],
  ...[
    'LD',
    'DYLD',
    'GLIBC',
    'MALLOC',
    'GCONV',
    'LOCPATH',
    'NLSPATH',
    'GETCONF',
    'LIBC',
    'RES',
    'RESOLV',
    'GMON',
    'HOSTALIASES',
    'LOCALDOMAIN',
  ],
  ...['OPENSSL', 'SSL', 'SSLKEYLOGFILE', 'NSS', 'CURL'],
  ...[
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'SHELL',
    'USER',
    'LOGNAME',
    'TMPDIR',
    'TMP',
    'TEMP',
    'TZDIR',
    'TERM',
    'TERMINFO',
    'TERMCAP',
    'XDG',
  ],
  ...['BASH', 'BASHOPTS', 'SHELLOPTS', 'ENV', 'IFS', 'CDPATH', 'PS4', 'PROMPT', 'ZDOTDIR', 'EDITOR', 'VISUAL', 'PAGER'],
  ...['NPM', 'PNPM', 'YARN', 'BUN', 'DENO', 'GIT'],
  ...['HOST', 'PORT', 'K', 'KUBE', 'KUBERNETES', 'TAPROOM', 'MANIFESTS', 'RESOURCES', 'APPS', 'LISTEN', 'NOTIFY'],
])

/** Names of what they load, or of what they are interpreters of, that many programs read. */
const RESERVED = /^(?:PYTHON|PERL|RUBY|JAVA|JDK)|(?:PATH|PRELOAD|OPTIONS|OPTS|PROXY|TUNABLES)$/

/**
 * Whether a container may be given a variable of this name. What runs is a program of this machine: a variable that its runtime reads
 * before it could make it load other code, so only names in the shape that settings have are allowed, and of those none that is reserved.
 */
export function isContainerVariable(name: string): boolean {
  if (!NAME.test(name)) return false
  if (ALLOWED.has(name)) return true
  return !RESERVED_FIRST_WORDS.has(name.split('_', 1)[0] ?? '') && !RESERVED.test(name)
}

/** Those of a container's variables that it may be given: what starts a process asks once more, whatever way the container came. */
export function containerVariables(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isContainerVariable(name)))
}
