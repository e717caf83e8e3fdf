import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

const END_BYTES = 22
const CENTRAL = 0x02014b50
const DEFLATED = 8

/** The files of a jar (a zip file without extensions) whose names match. */
export function* jarEntries(path: string, names: RegExp): Generator<{ name: string; text: string }> {
  const jar = readFileSync(path)
  // There is no comment behind the end of its table.
  const end = jar.length - END_BYTES
  let at = jar.readUInt32LE(end + 16)
  while (jar.readUInt32LE(at) === CENTRAL) {
    const [method, packed] = [jar.readUInt16LE(at + 10), jar.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => jar.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const local = jar.readUInt32LE(at + 42)
    const name = jar.toString('utf8', at + 46, at + 46 + nameLength)
    if (names.test(name)) {
      const data = local + 30 + jar.readUInt16LE(local + 26) + jar.readUInt16LE(local + 28)
      const bytes = jar.subarray(data, data + packed)
      yield { name, text: (method === DEFLATED ? inflateRawSync(bytes) : bytes).toString('utf8') }
    }
    at += 46 + nameLength + extra + comment
  }
}

/** The jar with this beginning on a class path, as `java -cp` has it: jars, or a folder of jars and `/*`. */
export function findJar(classPath: string, beginning: string): string | undefined {
  return classPath
    .split(':')
    .flatMap((entry) =>
      entry.endsWith('/*') ? readdirSync(dirname(entry)).map((name) => join(dirname(entry), name)) : entry,
    )
    .find((path) => path.split('/').at(-1)?.startsWith(beginning) && path.endsWith('.jar'))
}
