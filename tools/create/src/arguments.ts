import { parseArgs } from 'node:util'
import { checkName, NewUsageError } from '@taproom/cli/new'
import { reasonOf } from '@taproom/core/lines'

export const CREATE_USAGE = `usage: npm create taproom@latest NAME

Makes the folder NAME: a repository with an HTTP service, an event sink, tests and CI, which one command runs on this machine.
NAME is at most 40 lower case letters and digits, words joined by "-", and begins with a letter.
`

/** Its workspaces would have the names of the packages that they install. */
const OWN_SCOPE = 'taproom'

/** The command line of `npm create taproom@latest`. @throws {NewUsageError} when it is wrong */
export function readArguments(args: readonly string[]): { readonly name: string; readonly help: boolean } {
  const { values, positionals } = parse(args)
  if (values.help === true) return { name: '', help: true }
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new NewUsageError('expected one name')
  if (name === OWN_SCOPE)
    throw new NewUsageError(`"${name}" is the name of the packages that will be installed: take another`)
  return { name: checkName(name), help: false }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  } catch (error) {
    throw new NewUsageError(reasonOf(error))
  }
}
