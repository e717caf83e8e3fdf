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

/** The property of the `KafkaServer` of a JAAS file: no variable makes this name. */
export const JAAS_FILE = 'KafkaServer'

const COMMENT_OR_QUOTED = /"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|\/\/[^\n]*|^[^\S\n]*#[^\n]*/gms
const SERVER_SECTIONS = /(?:^|[\s};])(?:([\w.-]+)\.)?KafkaServer\s*\{((?:[^}"]|"(?:[^"\\]|\\.)*")*)\}\s*;/gs
const ENTRIES = /(?:[^;"]|"(?:[^"\\]|\\.)*")+;/gs
const LOGIN_CONFIG = /-Djava\.security\.auth\.login\.config=(?:"([^"]+)"|(\S+))/

/** The JAAS file that the options of a JVM name (`KAFKA_OPTS`); undefined when they name none. */
export function jaasFileOf(jvmOptions: string | undefined): string | undefined {
  const [, quoted, bare] = LOGIN_CONFIG.exec(jvmOptions ?? '') ?? []
  return quoted ?? bare
}

/**
 * The PlainLoginModule of each `KafkaServer` of a JAAS file, as properties: `NAME.KafkaServer` is for the listener NAME only. The one for
 * all is an empty entry where there is none.
 */
export function plainProperties(jaasFile: string): Readonly<Record<string, string>> {
  const code = jaasFile.replaceAll(COMMENT_OR_QUOTED, (text) => (text.startsWith('"') ? text : ' '))
  const sections = [...code.matchAll(SERVER_SECTIONS)].flatMap(([, listener, section = '']) => {
    const entry = section.match(ENTRIES)?.find((each) => readJaas(each)?.module === 'PlainLoginModule')
    const name = listener === undefined ? JAAS_FILE : `listener.name.${listener}.plain.sasl.jaas.config`
    return entry === undefined ? [] : [[name, entry]]
  })
  return { [JAAS_FILE]: ';', ...Object.fromEntries(sections) }
}
