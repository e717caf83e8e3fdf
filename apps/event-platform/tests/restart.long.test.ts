import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectToKeepWhatWasAccepted, type Installations, openInstallations } from './installations.ts'

describe.concurrent('triggers over a restart of the platform', () => {
  let installations: Installations
  beforeAll(async () => {
    installations = await openInstallations()
  })
  afterAll(() => installations?.[Symbol.asyncDispose]())

  it('decisions 1.51, 1.55: another installation (undefined) leaves it what was accepted', async () => {
    await expectToKeepWhatWasAccepted(installations, undefined)
  })

  it('one whose manifest cannot be read keeps its place', async () => {
    const { idsAt, postTo, run, trigger } = installations
    const others = { 'kept.yaml': trigger('other') }
    {
      await using _running = await run({ ...others, 'broken.yaml': trigger('broken') }, 'third')
    }
    let between: string | undefined
    {
      await using running = await run(
        { ...others, 'broken.yaml': trigger('broken').replace('Trigger', 'Triger') },
        'third',
      )
      between = await postTo('other', running)
    }
    await using running = await run({ ...others, 'broken.yaml': trigger('broken') }, 'third')
    await postTo('broken', running)
    expect(idsAt('broken')).toContain(between)
  })
})
