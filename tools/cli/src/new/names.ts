import { NewUsageError } from './errors.ts'

/** Kubernetes' names have 63 characters; what is made of a name may add to it. */
const MOST = 40

/** Words of JavaScript, and folders that are never a workspace. */
const RESERVED = ['dist', 'node-modules', 'src', 'tests']

/**
 * Checks that a name can be a folder, a package and a Kubernetes object, whatever is made of it.
 *
 * @throws {NewUsageError} when it cannot
 */
export function checkName(name: string): string {
  const isSound = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) && name.length <= MOST
  if (isSound && !RESERVED.includes(name)) return name
  throw new NewUsageError(
    `${JSON.stringify(name.slice(0, 100))} cannot be a name: expected at most ${MOST} lower case letters and digits, ` +
      'words joined by "-", beginning with a letter, such as wine-cellar',
  )
}

/** Stands for a name in the templates. */
export type Placeholder = 'template-app' | 'template-item'

/** Puts a name in place of that of the templates, in all its spellings. */
export function renamed(text: string, name: string, placeholder: Placeholder = 'template-app'): string {
  const [of, by] = [spellings(placeholder), spellings(name)]
  return text
    .replaceAll(of.kebab, by.kebab)
    .replaceAll(of.camel, by.camel)
    .replaceAll(of.pascal, by.pascal)
    .replaceAll(of.snake, by.snake)
    .replaceAll(of.snake.toUpperCase(), by.snake.toUpperCase())
}

export function spellings(name: string) {
  const words = name.split('-')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return { kebab: name, pascal, camel: pascal.charAt(0).toLowerCase() + pascal.slice(1), snake: words.join('_') }
}
