import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectToKeepWhatWasAccepted, type Installations, openInstallations } from './installations.ts'

describe.concurrent('triggers over a restart of the platform', () => {
  let installations: Installations
  beforeAll(async () => {
    installations = await openInstallations()
  })
  afterAll(() => installations?.[Symbol.asyncDispose]())

  it('one that was removed while the platform did not run is a new one when it comes back', async () => {
    const { idsAt, placeOf, postTo, run, trigger } = installations
    const kept = { 'kept.yaml': trigger('kept') }
    {
      await using _running = await run({ ...kept, 'gone.yaml': trigger('gone') }, 'first')
    }
    let between: string | undefined
    {
      await using running = await run(kept, 'first')
      between = await postTo('kept', running)
      await waitFor('the group to be forgotten', async () => (await placeOf('gone')) === undefined)
    }
    await using running = await run({ ...kept, 'gone.yaml': trigger('gone') }, 'first')
    await postTo('gone', running)
    expect(idsAt('gone')).not.toContain(between)
  })

  it('decisions 1.51, 1.55: another installation (second) leaves it what was accepted', async () => {
    await expectToKeepWhatWasAccepted(installations, 'second')
  })
})
