import { chmod, copyFile, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@taproom/processes'
import { inject } from 'postject'
import { bundleCommand } from './bundle-command.ts'

/** The mark in Node's executable that says whether it has an application inside: https://nodejs.org/api/single-executable-applications.html */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The name of the executable for this platform, such as `embedded-kafka-linux-x64`. */
export const EXECUTABLE = `embedded-kafka-${process.platform}-${process.arch}${process.platform === 'win32' ? '.exe' : ''}`

/** Writes the command as an executable for this platform into a folder: a copy of the Node that runs this, with the bundle in it. */
export async function buildExecutable(folder: string): Promise<string> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'embedded-kafka-'))
  const [main, output, config] = ['main.cjs', 'blob', 'config.json'].map((name) => join(work.path, name)) as [
    string,
    string,
    string,
  ]
  await bundleCommand(main, 'cjs')
  const settings = { main, output, disableExperimentalSEAWarning: true, useCodeCache: true }
  await writeFile(config, JSON.stringify(settings))
  await run(process.execPath, ['--experimental-sea-config', config])
  const executable = join(folder, EXECUTABLE)
  await copyFile(process.execPath, executable)
  await chmod(executable, 0o755)
  const isMac = process.platform === 'darwin'
  // macOS starts no program whose signature does not fit.
  if (isMac) await run('codesign', ['--remove-signature', executable])
  await inject(executable, 'NODE_SEA_BLOB', await readFile(output), {
    sentinelFuse: FUSE,
    machoSegmentName: 'NODE_SEA',
  })
  if (isMac) await run('codesign', ['--sign', '-', executable])
  return executable
}
