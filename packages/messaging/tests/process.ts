import { fileURLToPath } from 'node:url'
import { endingWithParent, type NodeProcess, startNode } from '@taproom/processes'

/** Starts `tests/<program>.ts` with its arguments as environment variables; `lines` is what it printed so far. */
export function startProcess(
  program: string,
  env: Readonly<Record<string, string>>,
): NodeProcess & { readonly lines: readonly string[] } {
  const lines: string[] = []
  const child = startNode({
    args: endingWithParent(fileURLToPath(new URL(`./${program}.ts`, import.meta.url))),
    env: { ...process.env, ...env },
    stderr: 'inherit',
    onLine: (line) => lines.push(line),
  })
  return { ...child, lines }
}
