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
