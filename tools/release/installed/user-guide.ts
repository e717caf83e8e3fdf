import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../src/publish/published-packages.ts'
import { missingLine, type Step, stepsOf } from '../src/site/guide.ts'
import type { UserSystem, userMachine } from './user-machine.ts'

const START = 'npx -y pnpm@12 start\n'

/** The guide for a system of one's own, section by section. */
export async function openGuide(machine: Awaited<ReturnType<typeof userMachine>>) {
  const text = await readFile(join(REPOSITORY, 'docs/guides/your-own-system.md'), 'utf8')
  const [, ...sections] = text.split(/^## /m)
  const left = new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), stepsOf(section)]))

  async function carryOut(where: string, step: Step, system: UserSystem | undefined): Promise<string> {
    if (step.kind !== 'commands' || step.needsRegistry === undefined) throw new Error('a step of another kind')
    const commands =
      system === undefined ? step.commands : step.commands.replaceAll('http://localhost:8080', system.url)
    const { code, output } = await machine.run(where, 'bash', '--norc', '-e', '-o', 'pipefail', '-c', commands)
    const missing = missingLine(output, step.expected)
    if (code === 0 && missing === undefined) return output
    throw new Error(`${commands}ended with ${code}; expected "${missing ?? ''}" in what it printed:\n${output}`)
  }

  return {
    /** The lines of `kubectl`, which want a cluster. */
    kubectl: text.split('\n').filter((line) => line.startsWith('kubectl ')),
    /** Names of the sections with steps that were not done yet. */
    left: () => [...left].flatMap(([name, steps]) => (steps.length > 0 ? name : [])),
    /** Does what a section says, in a folder; what it starts is the running system that is given. Gives all that was printed. */
    async follow(name: string, where: string, system?: UserSystem): Promise<string> {
      const [first, ...others] = left.get(name) ?? []
      if (first === undefined) throw new Error(`the guide has no section ${name}, or it was done before`)
      left.set(name, [])
      const isStart = first.kind === 'commands' && first.isBackground
      if (isStart && (first.commands !== START || system === undefined)) throw new Error(`what starts in ${name}?`)
      let output = ''
      for (const step of isStart ? others : [first, ...others]) output += await carryOut(where, step, system)
      return output
    },
  }
}
