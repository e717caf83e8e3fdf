import type { ServerResponse } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { expectSameAnswers } from './same-answers.ts'

const answering = (status: number, type: string, content: string) =>
  startHttpServer((_req: unknown, res: ServerResponse) => res.writeHead(status, { 'Content-Type': type }).end(content))

it('takes the same JSON written differently, and refusals of any content', async () => {
  await using ours = await answering(200, 'application/json', '{"a":1,"b":2}')
  await using theirs = await answering(200, 'application/json;charset=UTF-8', '{ "b": 2, "a": 1 }')
  await expectSameAnswers(ours.url, theirs.url, [{ path: '/' }])
  await using refusing = await answering(401, 'application/problem+json', '{}')
  await using alsoRefusing = await answering(401, 'text/plain', 'no')
  await expectSameAnswers(refusing.url, alsoRefusing.url, [{ path: '/' }])
})

it.each([
  ['another status', 404, 'application/json', '{"a":1}'],
  ['another type', 200, 'text/plain', '{"a":1}'],
  ['another content', 200, 'application/json', '{"a":2}'],
])('refuses %s', async (_, status, type, content) => {
  await using ours = await answering(200, 'application/json', '{"a":1}')
  await using theirs = await answering(status, type, content)
  await expect(expectSameAnswers(ours.url, theirs.url, [{ path: '/x' }])).rejects.toThrow('GET /x: we answer')
})
