import { describe, expect, it } from 'vitest'
import { readScramUsers } from './scram-users.ts'

function read(value: string) {
  const problems: string[] = []
  const users = readScramUsers({ name: 'addScram', value }, problems).map(({ user, password }) => [user, password])
  return { users, problems }
}

describe('readScramUsers', () => {
  it.each([
    ['SCRAM-SHA-256=[name=a,password=p]x] , ', [['a', 'p]x']]],
    [
      'SCRAM-SHA-256=[name=a,password=[p]], SCRAM-SHA-512=[name="b",password="]"]',
      [
        ['a', '[p]'],
        ['b', ']'],
      ],
    ],
    ['SCRAM-SHA-256=[name=a,password="q"r=s"]', [['a', 'q"r=s']]],
  ])('reads %s as kafka-storage.sh does', (value, users) => {
    expect(read(value).users).toEqual(users)
  })

  it('refuses a password with a comma, without showing it', () => {
    const { users, problems } = read('SCRAM-SHA-256=[name=a,password=secret,more]')
    expect(users).toEqual([])
    expect(problems).toEqual([expect.stringMatching(/^addScram must be SCRAM-SHA-256=.* entry 1 is not$/)])
    expect(problems.join()).not.toMatch(/secret|more/)
  })
})
