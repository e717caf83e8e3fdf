import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { fileAt } from '../harness/apps.ts'

const MAKE_MS = 20 * 60_000
const sourcesOf = (sdk: string) => fileURLToPath(fileAt(`tools/lab/peers/cloudevents/${sdk}`))

/** Makes a peer in a folder; gives its command. Downloads what the language's own package manager does not have yet. */
type Make = (folder: string) => Promise<readonly string[]>

const make = (program: string, args: readonly string[], cwd: string) => run(program, args, { cwd, timeout: MAKE_MS })

/** The SDKs of five languages. */
export const SDKS: Readonly<Record<string, Make>> = {
  async go(folder) {
    const program = join(folder, 'go-peer')
    await make('go', ['build', '-o', program, '.'], sourcesOf('go'))
    return [program]
  },
  async java(folder) {
    const jars = join(folder, 'jars')
    const copied = ['-DincludeScope=runtime', `-DoutputDirectory=${jars}`]
    await make('mvn', ['-q', '-B', 'dependency:copy-dependencies', ...copied], sourcesOf('java'))
    return ['java', '-cp', join(jars, '*'), join(sourcesOf('java'), 'Peer.java')]
  },
  async javascript() {
    return [process.execPath, fileURLToPath(fileAt('tools/lab/src/sdks/javascript-main.ts'))]
  },
  async python(folder) {
    await make('python3', ['-m', 'venv', join(folder, 'python')], folder)
    const python = join(folder, 'python/bin/python')
    await make(python, ['-m', 'pip', '-q', 'install', '-r', join(sourcesOf('python'), 'requirements.txt')], folder)
    return [python, join(sourcesOf('python'), 'peer.py')]
  },
  async rust(folder) {
    await make('cargo', ['build', '--locked', '-q', '--target-dir', folder], sourcesOf('rust'))
    return [join(folder, 'debug/cloudevents-peer')]
  },
}
