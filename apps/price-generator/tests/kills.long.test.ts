import { startKafka, startProcess, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { beer, main, names, openBothEnds } from './both-ends.ts'

describe('the price-generator process', () => {
  it('decisions 3.6: works again after it was killed, and prices no beer twice', async () => {
    await using kafka = await startKafka()
    await using ends = await openBothEnds(kafka.bootstrapServers)
    const env = { KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers }
    const publishing = (async () => {
      for (const name of names(0, 300)) await ends.publish(beer(name))
    })()
    {
      await using _killed = startProcess(main, env)
      await waitFor('some prices', () => ends.priced.length > 50)
    }
    await publishing
    await using _generator = startProcess(main, env)
    await waitFor('all prices', () => ends.priced.length >= 300)
    expect(ends.names()).toEqual(names(0, 300))
  })
})
