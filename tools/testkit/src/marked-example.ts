import { readFileSync } from 'node:fs'

/** The lines between the two `// example` marks of a test file, without indentation: the example of a README, which the test runs. */
export function markedExample(file: string): string {
  const [, example] = readFileSync(file, 'utf8').split(/^ *\/\/ example\n/m)
  if (example === undefined) throw new Error(`${file} has no example`)
  return example.replaceAll(/^ {4}/gm, '').trim()
}
