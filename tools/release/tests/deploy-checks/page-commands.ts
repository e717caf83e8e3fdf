import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProgramError, run } from '@taproom/processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectl } from '../../src/deploy-checks/render.ts'
import { DEPLOY } from './folders.ts'

const files = ['README.md', 'cluster.md', 'particular-clusters.md', 'scaling.md', '../docs/guides/deploy.md']
const text = (await Promise.all(files.map((file) => readFile(join(DEPLOY, file), 'utf8')))).join('\n')

/** The commands of the pages about deployment. */
export const commands = [...text.matchAll(/^```sh(?: cluster)?\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
export const kubectl = [...new Set(commands.filter((command) => command.startsWith('kubectl ')))]

const known = new Set<string>()
/** The commands of kubectl that have a subcommand or a flag that no command before them has. */
export const firstOfTheirKind = kubectl.filter((command) => {
  const words = [
    ...command.matchAll(/ (get|apply|create [a-z]+|delete|wait|rollout [a-z]+|replace|patch|--?[a-z-]+)\b/g),
  ]
  const added = words.flatMap(([, word = '']) => (known.has(word) ? [] : word))
  for (const word of added) known.add(word)
  return added.length > 0
})

const hasKubectl = (await findKubectl()) !== undefined

/** A file that a person has at hand when they read cluster.md. */
const FILES = [
  'bootstrap-servers.txt',
  'database-url.txt',
  'password.txt',
  'ca.crt',
  'tls.crt',
  'tls.key',
  'outbound-proxy.env',
]

/** Runs commands of {@link kubectl} against a cluster that refuses every connection. */
export function describeKubectl(name: string, commands: readonly string[]): void {
  describe(name, { tags: 'kustomize', skip: !hasKubectl }, () => {
    let folder: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'deploy-readme-'))
      await symlink(DEPLOY, join(folder, 'deploy'))
      await Promise.all(FILES.map((name) => writeFile(join(folder, name), 'text')))
      const keys = join(folder, '.taproom/keys')
      await mkdir(keys, { recursive: true })
      await writeFile(join(keys, 'public-key.pem'), 'text')
    })

    afterAll(() => rm(folder, { recursive: true, force: true }))

    it.concurrent.each(commands)('%s: kubectl understands it, and asks the cluster', async (command) => {
      // Without `--norc`, bash takes the socket that Node gives it for a login over the network, and runs the ~/.bashrc of whoever this is.
      const answer = await run(
        'bash',
        ['--norc', '-c', `${command} --server=http://127.0.0.1:1 --request-timeout=60s`],
        {
          cwd: folder,
          timeout: 600_000,
          env: { ...process.env, KUBECONFIG: join(folder, 'none') },
        },
      ).then(
        ({ stdout }) => stdout,
        (error: ProgramError) => {
          if (error.exitCode === undefined) throw error
          return error.stderr
        },
      )
      // The pair of a certificate is looked at before the cluster is asked; the one here is none.
      expect(answer).toMatch(
        command.includes('create secret tls') ? /tls: failed to find any PEM/ : /connection refused|was refused/,
      )
    })
  })
}
