import { NewUsageError } from './errors.ts'
import { PARTS, type Part, readParts } from './parts.ts'

/** Asks for the parts of a service until they can be read. */
export async function askParts(terminal: { question(prompt: string): Promise<string> }): Promise<ReadonlySet<Part>> {
  const list = Object.entries(PARTS).map(([part, what]) => `  ${part.padEnd(10)} ${what}`)
  for (let prompt = `${list.join('\n')}\nparts, separated by commas (http): `; ; ) {
    const answer = await terminal.question(prompt)
    try {
      return readParts(answer.trim() === '' ? 'http' : answer)
    } catch (error) {
      if (!(error instanceof NewUsageError)) throw error
      prompt = `${error.message}\nparts, separated by commas (http): `
    }
  }
}
