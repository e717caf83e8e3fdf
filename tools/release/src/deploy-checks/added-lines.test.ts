import { describe, expect, it } from 'vitest'
import { addedLines } from './added-lines.ts'

describe('addedLines', () => {
  it('has the new numbers of the lines of each file', () => {
    const diff = [
      'diff --git a/one.ts b/one.ts',
      '--- a/one.ts',
      '+++ b/one.ts',
      '@@ -3 +3,2 @@ function one',
      '-old',
      '+new',
      '+newer',
      '@@ -9,2 +10,0 @@',
      '-gone',
      '-gone',
      'diff --git a/two.md b/two.md',
      '--- /dev/null',
      '+++ b/two.md',
      '@@ -0,0 +1 @@',
      '+@@ -1 +9 @@',
    ].join('\n')
    expect(addedLines(diff)).toEqual(
      new Map([
        ['one.ts', new Set([3, 4])],
        ['two.md', new Set([1])],
      ]),
    )
  })
})
