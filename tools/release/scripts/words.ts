/**
 * `pnpm words [COMMIT]`: the words and openings of comments that docs/house-rules.md rules out, in the lines that were added or changed since
 * the commit (default: where this branch left origin/main, else the commit before). Exit code 1: some were found, or a commit since then has a
 * subject of more than 72 characters.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addedLines } from '../src/deploy-checks/added-lines.ts'
import { ruledOutWords } from '../src/deploy-checks/ruled-out-words.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SUBJECT_LIMIT = 72
const TEXTS = /(?:\.(?:[cm]?[jt]s|md|ya?ml|sh|css|html|grit)|^\.ci\/[\w-]+)$/
/** Files that quote the words, texts of others, and what was written before these rules. */
const LEFT_OUT =
  /(?:^|\/)ruled-out-words(?:\.test)?\.ts$|^docs\/house-rules\.md$|^patches\/|^pnpm-lock\.yaml$|^CHANGELOG\.md$/

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 })

function baseCommit(): string {
  const head = git('rev-parse', 'HEAD').trim()
  try {
    const left = git('merge-base', 'HEAD', 'origin/main').trim()
    if (left !== head) return left
  } catch {
    // A clone without origin/main.
  }
  return git('status', '--porcelain') === '' ? 'HEAD^' : head
}

function main([given]: readonly string[]): void {
  if (!existsSync(`${ROOT}.git`)) {
    console.log('words: nothing was checked: this folder is not a clone, so changed lines are unknown')
    return
  }
  const base = given ?? baseCommit()
  const added = addedLines(git('diff', '--unified=0', '--no-color', '--no-ext-diff', base))
  for (const path of git('ls-files', '--others', '--exclude-standard').split('\n'))
    if (path !== '') added.set(path, 'all')
  const problems = [...added].flatMap(([path, lines]) => {
    if (!TEXTS.test(path) || LEFT_OUT.test(path)) return []
    const found = ruledOutWords(
      path,
      readFileSync(`${ROOT}${path}`, 'utf8'),
      (line) => lines === 'all' || lines.has(line),
    )
    return found.map(({ line, message }) => `${path}:${line}: ${message}`)
  })
  for (const line of git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`).split('\n')) {
    const [hash = '', ...subject] = line.split(' ')
    const { length } = subject.join(' ')
    if (length > SUBJECT_LIMIT)
      problems.push(`commit ${hash}: its subject has ${length} characters, the limit is ${SUBJECT_LIMIT}`)
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

main(process.argv.slice(2))
