import { expect, it } from 'vitest'
import { connection, reportConnection } from '../../page/connection.ts'

it('the header has one state: the worst of all that the page reads', () => {
  expect(connection.value).toBe('updating')
  const [list, verdicts] = [reportConnection(), reportConnection()]
  list.set('paused')
  verdicts.set('updating')
  expect(connection.value).toBe('paused')
  verdicts.set('lost')
  expect(connection.value).toBe('lost')
  verdicts.close()
  expect(connection.value).toBe('paused')
  list.close()
  expect(connection.value).toBe('updating')
})
