const ENTRY =
  /^\s*([\w.$]+)\s+(?:required|requisite|sufficient|optional)((?:\s+[\w.$-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";]+))*)\s*;\s*$/is
const OPTION = /([\w.$-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/gs

/** An entry of Apache Kafka's `sasl.jaas.config`: its login module without the package, and the options; undefined when it is none. */
export function readJaas(
  text: string,
): { readonly module: string; readonly options: ReadonlyMap<string, string> } | undefined {
  const [, module, list = ''] = ENTRY.exec(text) ?? []
  if (module === undefined) return undefined
  const options = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of list.matchAll(OPTION)) {
    options.set(name, quoted === undefined ? bare : quoted.replaceAll(/\\(.)/gs, '$1'))
  }
  return { module: module.split('.').at(-1) ?? '', options }
}

const SERVER_SECTION = /(?:^|[\s}])(?:[\w.-]+\.)?KafkaServer\s*\{((?:[^}"]|"(?:[^"\\]|\\.)*")*)\}\s*;/s
const ENTRIES = /(?:[^;"]|"(?:[^"\\]|\\.)*")+;/gs
const LOGIN_CONFIG = /-Djava\.security\.auth\.login\.config=(?:"([^"]+)"|(\S+))/

/** The JAAS file that the options of a JVM name (`KAFKA_OPTS`); undefined when they name none. */
export function jaasFileOf(jvmOptions: string | undefined): string | undefined {
  const [, quoted, bare] = LOGIN_CONFIG.exec(jvmOptions ?? '') ?? []
  return quoted ?? bare
}

/** The PlainLoginModule of a JAAS file's `KafkaServer`, as `sasl.jaas.config` has it; undefined when there is none. */
export function plainEntryOf(jaasFile: string): string | undefined {
  const withoutComments = jaasFile.replaceAll(/\/\*.*?\*\/|^\s*(?:\/\/|#)[^\n]*$/gms, '')
  const [, section = ''] = SERVER_SECTION.exec(withoutComments) ?? []
  return section.match(ENTRIES)?.find((entry) => readJaas(entry)?.module === 'PlainLoginModule')
}
