/**
 * The commands of a page that stand under a heading: the lines of its `sh` blocks, or of those of another language, up to the next heading
 * of that level or above.
 *
 * @throws {Error} when the page has no such heading, or no command under it
 */
export function documentedCommands(page: string, heading: string, language = 'sh'): readonly string[] {
  const level = heading.indexOf(' ')
  const [, rest] = page.split(`\n${heading}\n`, 2)
  if (rest === undefined) throw new Error(`the page has no heading "${heading}"`)
  const [section = ''] = rest.split(new RegExp(`^#{1,${level}} `, 'm'), 1)
  const commands = [...section.matchAll(new RegExp(`^\`\`\`${language}(?: cluster)?\\n(.*?)^\`\`\`$`, 'gms'))].flatMap(
    ([, block = '']) => block.trim().split('\n'),
  )
  if (commands.length === 0) throw new Error(`nothing to run stands under "${heading}"`)
  return commands
}
