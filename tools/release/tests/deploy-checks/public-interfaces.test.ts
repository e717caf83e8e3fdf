import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

const REFUSED: readonly (readonly [string, string])[] = [
  ['an underscored method', 'export const write = (socket: any) => socket._write("")'],
  ['an underscored member of an object that may be missing', 'export const write = (socket: any) => socket?._write'],
  ['an underscored member that is taken out', 'export const write = ({ _write }: any) => _write'],
  ['an underscored method of a base class', 'export class A extends B { override _write() { super._write() } }'],
  ['an underscored member that is replaced', 'export const write = (socket: any) => { socket._write = null }'],
  ['a method that is replaced', 'export const end = (response: any) => { response.end = () => {} }'],
  ['a prototype that is replaced', 'export const change = (a: object) => Object.setPrototypeOf(a, null)'],
  ['a method of a prototype', 'export const change = (a: any) => { a.prototype.next = null }'],
  ['a property of a prototype', 'export const change = (a: any) => Object.defineProperty(a.prototype, "a", {})'],
  ['properties of a prototype', 'export const change = (a: any) => Object.assign(a.prototype, {})'],
]
const ACCEPTED = [
  ['a stream of its own', 'export class Own extends Readable { override _read() { this.push(null) } }'],
  ['listeners', 'export const end = (socket: any) => socket.on("end", () => socket.end())'],
] as const

describe('decisions 3.132: pnpm check', () => {
  let refused: readonly string[] = []
  beforeAll(async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'public-interfaces-'))
    const { path } = folder
    for (const file of ['biome.json', 'public-interfaces.grit', '.gitignore'])
      await copyFile(join(ROOT, file), join(path, file))
    await mkdir(join(path, 'src'))
    for (const [index, [, line]] of [...REFUSED, ...ACCEPTED].entries()) {
      await writeFile(join(path, 'src', `sample-${index}.ts`), `${line}\n`)
    }
    await writeFile(join(path, 'src', 'sample.test.ts'), 'socket._write = null\n')
    const program = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
    const biome = spawn(process.execPath, [program, 'lint', '--max-diagnostics=none'], {
      cwd: path,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output] = await Promise.all([text(biome.stderr), text(biome.stdout), once(biome, 'close')])
    refused = [...output.matchAll(/^src\/(?<file>\S+)\.ts:\S+ plugin/gm)].map((found) => found.groups?.['file'] ?? '')
  })

  it.each(REFUSED)('refuses %s', (_case, line) => {
    expect(refused).toContain(`sample-${REFUSED.findIndex(([, other]) => other === line)}`)
  })

  it.each(ACCEPTED)('accepts %s', (_case, line) => {
    const index = REFUSED.length + ACCEPTED.findIndex(([, other]) => other === line)
    expect(refused).not.toContain(`sample-${index}`)
  })

  it('looks at production code only', () => {
    expect(refused).not.toContain('sample.test')
  })
})
