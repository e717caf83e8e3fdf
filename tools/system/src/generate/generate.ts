import { parseArgs } from 'node:util'
import type { System } from '../define-system.ts'
import { environmentFindings } from '../environments/environment-problems.ts'
import { ComposeSyntaxError } from './compose-apps.ts'
import { differingFiles, writeOne } from './differing-files.ts'
import { lacksProjectName, writtenFiles } from './written-files.ts'

/** Retries of a trigger without `delivery`, as event-platform and Knative have them: `DEFAULT_DELIVERY_POLICY` of the events package. */
const DEFAULT_RETRIES = 10

const USAGE = `usage: pnpm generate [--check]

Writes the parts of deploy/ and README.md that come from system.ts.

  --check  writes nothing: names the files that it would write or remove; where there are none, names what apps lack in the overlays of
           deploy/kubernetes and in deploy/compose.yaml to start; ends with 1 when there is anything
  --help   print this
`

/**
 * Writes what comes from a description into the folder of its `system.ts`, and names each changed file by `write` (default: to stdout), as `pnpm generate` does. To check,
 * also names what apps lack to start where they are deployed. Sets the exit code when it was to check and something is wrong.
 */
export async function generate(
  system: System,
  root: string,
  args: readonly string[],
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<void> {
  const { help, check } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, check: { type: 'boolean' } },
  }).values
  if (help === true) return write(USAGE)
  const findings = check === true ? await environmentFindings(system, root) : undefined
  const files = await writtenFiles(system, root).catch((error: unknown) => {
    // The findings have it, too, and the rest of what is wrong.
    if (error instanceof ComposeSyntaxError && findings?.problems.length) return []
    throw error
  })
  const differing = await differingFiles(files, root)
  if (check === true && differing.length > 0) {
    process.exitCode = 1
    for (const { path } of differing) write(`differs  ${path}\n`)
    // Apps may lack nothing but these files.
    return write(
      'Run pnpm generate, which writes these files from system.ts. What is wrong besides is named when they do not differ.\n',
    )
  }
  for (const file of differing) {
    await writeOne(file, root)
    write(`${file.text === undefined ? 'removed' : 'written'}  ${file.path}\n`)
  }
  if (findings !== undefined) {
    const { problems, unread } = findings
    for (const problem of problems) write(`wrong    ${problem}\n`)
    for (const part of unread) write(`unread   ${part}\n`)
    for (const note of droppingTriggers(system)) write(`note     ${note}\n`)
    if (problems.length > 0) process.exitCode = 1
  }
  if (check !== true && (await lacksProjectName(root))) {
    process.stderr.write(
      'pnpm generate: deploy/.env, which is yours, has no COMPOSE_PROJECT_NAME: Compose calls the project deploy, as that of others\n',
    )
  }
}

/** Names the triggers whose events are lost when their sink does not take them. */
function droppingTriggers({ sinks }: System): readonly string[] {
  return Object.entries(sinks).flatMap(([sink, { triggers }]) =>
    Object.entries(triggers).flatMap(([name, { deadLetterSink, delivery }]) => {
      if (deadLetterSink !== undefined) return []
      const retries = delivery === undefined ? DEFAULT_RETRIES : (delivery.retry ?? 0)
      return `system.ts: trigger ${name} has no deadLetterSink: an event that ${sink} does not take is dropped, after ${retries} retries at most`
    }),
  )
}
