import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Provisioner } from './provisioner.ts'

describe('provisioner', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const settle = () => vi.advanceTimersByTimeAsync(0)

  function makeProvisioner() {
    const changes = vi.fn()
    const warn = vi.fn()
    const provisioner = new Provisioner({ log: { warn }, onChange: changes, refusalLimitMs: 3000 })
    return { provisioner, changes, warn }
  }

  it('makes a topic once and reports it ready', async () => {
    const { provisioner, changes } = makeProvisioner()
    const make = vi.fn(async () => {})
    expect(provisioner.ensure('topic', make).status).toBe('Unknown')
    await settle()
    expect(changes).toHaveBeenCalledTimes(1)
    expect(provisioner.ensure('topic', make).status).toBe('True')
    expect(make).toHaveBeenCalledTimes(1)
  })

  it('tries again with growing waits until it succeeds', async () => {
    const { provisioner } = makeProvisioner()
    let attempts = 0
    const make = async () => {
      attempts += 1
      if (attempts < 4) throw new Error('Kafka is away')
    }
    provisioner.ensure('topic', make)
    await settle()
    expect(provisioner.ensure('topic', make)).toMatchObject({ status: 'Unknown', reason: 'ProvisioningFailed' })
    await vi.advanceTimersByTimeAsync(500 + 1000)
    expect(attempts).toBe(3)
    await vi.advanceTimersByTimeAsync(2000)
    expect(provisioner.ensure('topic', make).status).toBe('True')
  })

  it('makes a removed group again only when its removal is over', async () => {
    const { provisioner } = makeProvisioner()
    const order: string[] = []
    const removal = Promise.withResolvers<void>()
    provisioner.ensure('group', async () => void order.push('made'))
    await settle()
    provisioner.remove('group', () => removal.promise.then(() => void order.push('removed')))
    provisioner.ensure('group', async () => void order.push('made again'))
    await settle()
    expect(order).toEqual(['made'])
    removal.resolve()
    await settle()
    expect(order).toEqual(['made', 'removed', 'made again'])
  })

  it('removes a group for good, however often that fails, before it is made again', async () => {
    const { provisioner } = makeProvisioner()
    const order: string[] = []
    let attempts = 0
    provisioner.remove('group', async () => {
      attempts += 1
      if (attempts < 9) throw new Error('Kafka is away')
      order.push('removed')
    })
    provisioner.ensure('group', async () => void order.push('made'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(order).toEqual([])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(order).toEqual(['removed', 'made'])
  })

  it('gives a removal up that Kafka goes on refusing, and says why in one line', async () => {
    const { provisioner, warn } = makeProvisioner()
    const refusal = Object.assign(new Error('The group is not empty'), {
      name: 'KafkaJSProtocolError',
      retriable: false,
    })
    const remove = vi.fn(() => Promise.reject(refusal))
    const made = vi.fn(async () => {})
    provisioner.remove('group', remove)
    provisioner.ensure('group', made)
    await vi.advanceTimersByTimeAsync(3000)
    expect(made).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(3000)
    expect(made).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(remove).toHaveBeenCalledTimes(4)
    const reason = 'The group is not empty'
    expect(warn.mock.calls.at(0)).toEqual([
      { target: 'group', reason, retryMs: 500 },
      'could not be removed, trying again',
    ])
    expect(warn.mock.calls.at(-1)).toEqual([{ target: 'group', reason }, 'could not be removed, given up'])
  })

  it('ends its attempts when it is closed', async () => {
    const { provisioner } = makeProvisioner()
    const make = vi.fn(() => Promise.reject(new Error('Kafka is away')))
    provisioner.ensure('topic', make)
    await settle()
    await provisioner[Symbol.asyncDispose]()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(make).toHaveBeenCalledTimes(1)
  })
})
