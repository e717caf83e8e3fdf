import { createInterface } from 'node:readline/promises'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { NEW_USAGE, readArguments, type Wanted } from './arguments.ts'
import { askParts } from './ask-parts.ts'
import { NewUsageError } from './errors.ts'
import { makeWorkspaces } from './new-workspaces.ts'
import { type Part, readParts } from './parts.ts'
import { type Project, readProject } from './project.ts'
import { appEntry, issuerIn, sinkEntry, withEntry } from './system-entry.ts'
import { templateFiles } from './template-files.ts'

/** Makes a service, a sink or a package in the folder of a `system.ts`, as `pnpm new` does. Sets the exit code when it cannot. */
export async function makeNew(args: readonly string[], root: string): Promise<void> {
  try {
    await make(readArguments(args), root)
  } catch (error) {
    const usage = error instanceof NewUsageError ? `\n${NEW_USAGE}` : ''
    process.stderr.write(`pnpm new: ${visibleLines(reasonOf(error))}\n${usage}`)
    process.exitCode = error instanceof NewUsageError ? 2 : 1
  }
}

async function make(wanted: Wanted, root: string): Promise<void> {
  const project = () => readProject(root)
  switch (wanted.kind) {
    case 'help':
      return void process.stdout.write(NEW_USAGE)
    case 'service':
      return await makeService(wanted, project())
    case 'sink':
      return await makeSink(wanted, project())
    case 'package':
      return await makePackage(wanted, project())
  }
}

async function makeService(
  { name, parts: given, resource }: Extract<Wanted, { kind: 'service' }>,
  project: Project,
): Promise<void> {
  const parts = given ?? (await chosenParts())
  const files = await templateFiles({ template: 'service', name, parts, ...(resource && { resource }), project })
  const enter = (text: string) =>
    withEntry(
      text,
      'apps',
      appEntry(name, parts, {
        ...(parts.has('jwt') && { issuer: issuerIn(text) }),
        hasResource: resource !== undefined,
      }),
    )
  await makeWorkspaces(project, [{ folder: `apps/${name}`, files, enter }])
  const what = [...parts].join(', ') || 'health and metrics'
  tell(`apps/${name}`, resource === undefined ? what : `${resource}, by ${what}`, 'pnpm start runs it')
}

async function chosenParts(): Promise<ReadonlySet<Part>> {
  if (!process.stdin.isTTY) return readParts('http')
  using terminal = createInterface({ input: process.stdin, output: process.stderr })
  return await askParts(terminal)
}

async function makeSink(
  { name, eventType, parts }: Extract<Wanted, { kind: 'sink' }>,
  project: Project,
): Promise<void> {
  const files = await templateFiles({ template: 'sink', name, parts, eventType, project })
  const enter = (text: string) => withEntry(text, 'sinks', sinkEntry(name, eventType, parts))
  await makeWorkspaces(project, [{ folder: `apps/${name}-sink`, files, enter }])
  const what = [`gets events of the type ${eventType}`, ...parts].join(', ')
  tell(`apps/${name}-sink`, what, 'pnpm start runs it when one comes')
}

async function makePackage({ name }: Extract<Wanted, { kind: 'package' }>, project: Project): Promise<void> {
  const files = await templateFiles({ template: 'package', name, parts: new Set(), project })
  await makeWorkspaces(project, [{ folder: `packages/${name}`, files }])
  tell(`packages/${name}`, `import it as ${project.scope}/${name}`, 'pnpm check and pnpm test know it')
}

function tell(folder: string, what: string, next: string): void {
  process.stdout.write(`made ${folder}: ${what}\n${next}\n`)
}
