import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { endingWithParent, run, startNode } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import type { Tarball } from '../src/publish/tarball.ts'

/** A registry on this machine; disposing of it ends it. */
export interface LoopbackRegistry extends AsyncDisposable {
  readonly url: string
  /** As npm does it; the version becomes the latest one. */
  publish(tarball: Pick<Tarball, 'path' | 'bytes' | 'manifest'>): Promise<void>
}

const VERDACCIO = 'verdaccio@6.8.0'
/** One of its dependencies asks for a tag, `cjs`, which not every mirror of the registry has. */
const OVERRIDES = { 'node-fetch': '2.7.0' }
const OURS = '{ access: $all, publish: $all }'

/** Installs verdaccio into a new folder and starts it there. What is ours it keeps; all else it gets from where npm gets it here. */
export async function startRegistry(folder: string): Promise<LoopbackRegistry> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }))
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...quietly, VERDACCIO], { cwd: folder })
  const { stdout: upstream } = await run('npm', ['config', 'get', 'registry'], { cwd: folder })
  await writeFile(join(folder, 'config.yaml'), settings(folder, upstream.trim()))
  const address = `127.0.0.1:${await freePort()}`
  const said: string[] = []
  const child = startNode({
    args: [
      ...endingWithParent(join(folder, 'node_modules/verdaccio/bin/verdaccio')),
      '--config',
      join(folder, 'config.yaml'),
      '--listen',
      address,
    ],
    cwd: folder,
    env: process.env,
    onLine: (line) => said.push(line),
  })
  const ended = child.ended.then(() => {
    throw new Error(`verdaccio ended: ${said.slice(-20).join('\n')}`)
  })
  const url = `http://${address}/`
  await Promise.race([waitFor('the registry', async () => (await fetch(`${url}-/ping`)).ok), ended])
  ended.catch(() => {
    // When it is disposed of, that is what it is to do.
  })
  return {
    url,
    async publish({ path, bytes, manifest }) {
      const { name, version } = manifest
      const file = basename(path)
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const dist = { integrity, tarball: `${url}${name}/-/${file}` }
      const attachment = { content_type: 'application/octet-stream', data: Buffer.from(bytes).toString('base64') }
      const response = await fetch(`${url}${encodeURIComponent(name)}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          _id: name,
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
          _attachments: { [file]: { ...attachment, length: bytes.length } },
        }),
      })
      if (!response.ok) throw new Error(`${name}@${version}: ${response.status} ${await response.text()}`)
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

function settings(folder: string, upstream: string): string {
  return `storage: ${folder}/storage
auth: { htpasswd: { file: ${folder}/users } }
uplinks: { here: { url: '${upstream}', timeout: 60s, max_fails: 20, agent_options: { keepAlive: true } } }
packages:
  '@taproom/*': ${OURS}
  create-taproom: ${OURS}
  '**': { access: $all, proxy: here }
max_body_size: 50mb
log: { type: stdout, format: json, level: warn }
web: { enable: false }
`
}
