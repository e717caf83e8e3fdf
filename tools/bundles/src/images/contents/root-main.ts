/** `root-main.js FOLDER`: writes the files that Node needs of the system it runs on, and no others. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withoutSymbols } from './without-symbols.ts'

/** Files by their paths, with the user that the apps run as; hosts are looked up in the file before they are asked for. */
const WRITTEN: Readonly<Record<string, string>> = {
  '/etc/passwd': 'root:x:0:0:root:/:/nowhere\nnode:x:1000:1000:node:/app:/nowhere\n',
  '/etc/group': 'root:x:0:\nnode:x:1000:\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
}
const NODE = '/usr/local/bin/node'

async function main(folder: string): Promise<void> {
  const place = async (path: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    return join(folder, path)
  }
  for (const [path, text] of Object.entries(WRITTEN)) await writeFile(await place(path), text)
  await writeFile(await place(NODE), withoutSymbols(await readFile(process.execPath)))
  await chmod(join(folder, NODE), 0o755)
  for (const library of libraries()) await copyFile(library, await place(library))
  await mkdir(join(folder, 'tmp'))
  await chmod(join(folder, 'tmp'), 0o1777)
}

/** The files of the libraries that Node is linked with, the loader among them; the kernel's own is no file. */
function libraries(): readonly string[] {
  const listed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path = '']) => (existsSync(path) ? [path] : []))
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
})
