import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { createGate, numbered, openTexts, storedOffset } from './fan-out-parts.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

const kind = (value: string) => ({ needs: () => ({ name: 'kind', value }) })

/** Options of a subscription that notes what it is asked about. */
function asking(value: string) {
  const asked: string[] = []
  const wants = (text: string) => {
    asked.push(text)
    return text.startsWith(`${value} `)
  }
  return { asked, options: { ...kind(value), wants } }
}

/** Options of a subscription whose `wanted` can be changed. */
function choosing(first: string) {
  const choice = {
    wanted: first,
    options: {
      needs: () => ({ name: 'kind', value: choice.wanted }),
      wants: (text: string) => text.startsWith(choice.wanted),
    },
  }
  return choice
}

describe.concurrent('a subscription of a fan-out that says what it needs', () => {
  it('is asked about nothing else once it has caught up, and its offsets go on', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    const { asked, options } = asking('ale')
    await using fanOut = openTexts(broker.kafka, topic)
    const ales = fanOut.subscribe(groupId, options)
    const all = fanOut.subscribe(unique('group'))
    await broker.write(topic, 'ale first', 'stout first')
    await waitFor('the first ones', () => all.seen.length === 2)
    const before = asked.length
    const rounds = numbered(100).flatMap((number) => [`stout ${number}`, `ale ${number}`, `porter ${number}`])
    await broker.write(topic, ...rounds)
    await waitFor('all in the other', () => all.seen.length === 302)
    const expected = ['ale first', ...numbered(100, 'ale ')]
    await waitFor('the ales', () => ales.seen.length >= expected.length)
    expect(ales.seen).toEqual(expected)
    expect(asked.slice(before)).toEqual(numbered(100, 'ale '))
    expect(ales.places.unasked + asked.length).toBe(302)
    await waitFor('the last offset', async () => (await storedOffset(broker, groupId, topic)) === '302')
  })

  it('gets what it needs from the moment on that it has changed', async () => {
    const topic = await broker.makeTopic()
    await using fanOut = openTexts(broker.kafka, topic)
    const choice = choosing('ale')
    const one = fanOut.subscribe(unique('group'), choice.options)
    const all = fanOut.subscribe(unique('group'))
    await broker.write(topic, 'ale 1', 'stout 1', 'ale 2')
    await waitFor('these', () => all.seen.length === 3)
    choice.wanted = 'stout'
    one.places.changed()
    await broker.write(topic, 'ale 3', 'stout 2', 'ale 4', 'stout 3')
    await waitFor('the stouts', () => one.seen.length >= 4)
    expect(one.seen).toEqual(['ale 1', 'ale 2', 'stout 2', 'stout 3'])
  })

  it('gets what it needs from the next message on, when it changes its mind while it handles one', async () => {
    const topic = await broker.makeTopic()
    await using fanOut = openTexts(broker.kafka, topic)
    const choice = choosing('ale')
    const one = fanOut.subscribe(unique('group'), {
      ...choice.options,
      onMessage: async (text) => {
        if (text !== 'ale 2') return
        choice.wanted = 'stout'
        one.places.changed()
      },
    })
    await broker.write(topic, 'ale 1')
    await waitFor('the first', () => one.seen.length === 1)
    await broker.write(topic, 'ale 2', 'stout 1', 'ale 3', 'stout 2')
    await waitFor('the stouts', () => one.seen.length >= 4)
    expect(one.seen).toEqual(['ale 1', 'ale 2', 'stout 1', 'stout 2'])
  })

  it('stays where it is from the moment on that it is closed: what comes then is for the next one, which may want it', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    const gate = createGate((text) => text === 'ale 2')
    await using fanOut = openTexts(broker.kafka, topic)
    const all = fanOut.subscribe(unique('group'))
    const first = fanOut.subscribe(groupId, { ...asking('ale').options, ...gate, graceMs: 60_000 })
    await broker.write(topic, 'ale 1', 'ale 2')
    await waitFor('both', () => first.seen.length === 2)
    const closing = first[Symbol.asyncDispose]()
    await broker.write(topic, 'stout 1', 'ale 3', 'stout 2')
    await waitFor('all in the other', () => all.seen.length === 5)
    gate.open()
    await closing
    expect(first.seen).toEqual(['ale 1', 'ale 2'])
    expect(await storedOffset(broker, groupId, topic)).toBe('2')
    const next = fanOut.subscribe(groupId, asking('stout').options)
    await waitFor('the stouts', () => next.seen.length >= 2)
    expect(next.seen).toEqual(['stout 1', 'stout 2'])
  })

  it('is asked about each message when it cannot say what it needs', async () => {
    const topic = await broker.makeTopic()
    const { asked, options } = asking('ale')
    const needs = () => {
      throw new Error('no such beer')
    }
    await using fanOut = openTexts(broker.kafka, topic)
    const ales = fanOut.subscribe(unique('group'), { ...options, needs })
    await broker.write(topic, 'stout 1', 'ale 1', 'stout 2', 'ale 2')
    await waitFor('both', () => ales.seen.length === 2)
    expect(asked).toEqual(['stout 1', 'ale 1', 'stout 2', 'ale 2'])
  })

  it('is told of each message that cannot be read', async () => {
    const topic = await broker.makeTopic()
    await using fanOut = openTexts(broker.kafka, topic)
    const ales = fanOut.subscribe(unique('group'), asking('ale').options)
    await broker.write(topic, 'ale 1', 'stout 1', 'unreadable', 'ale 2')
    await waitFor('both', () => ales.seen.length === 2)
    expect(ales.unreadable.map(({ offset }) => offset)).toEqual(['2'])
  })

  it('has missed and repeated nothing when it was behind, and is asked about nothing else again', async () => {
    const topic = await broker.makeTopic()
    const gate = createGate((text) => text === 'ale 3')
    const { asked, options } = asking('ale')
    await using fanOut = openTexts(broker.kafka, topic)
    const slow = fanOut.subscribe(unique('group'), { ...options, ...gate })
    const all = fanOut.subscribe(unique('group'))
    await broker.write(topic, ...numbered(300).flatMap((number) => [`ale ${number}`, `stout ${number}`]))
    await waitFor('all in the other', () => all.seen.length === 600)
    expect(slow.places.isBehind).toBe(true)
    gate.open()
    await waitFor('the ales', () => slow.seen.length >= 300)
    await waitFor('it to have caught up', () => !slow.places.isBehind)
    await broker.write(topic, 'ale next')
    await waitFor('the next one', () => slow.seen.length >= 301)
    const before = asked.length
    await broker.write(topic, ...numbered(50, 'stout '), 'ale last')
    await waitFor('the last one', () => slow.seen.length >= 302)
    expect(slow.seen).toEqual([...numbered(300, 'ale '), 'ale next', 'ale last'])
    expect(asked.slice(before)).toEqual(['ale last'])
  })

  it('gets all of its kind in order, whoever comes, goes, changes its mind, or is slow', async () => {
    const topic = await broker.makeTopic()
    await using fanOut = openTexts(broker.kafka, topic)
    const kinds = ['ale', 'stout', 'porter', 'lager']
    const written: string[] = []
    const subscribe = (value: string, groupId: string, delayMs: number) =>
      fanOut.subscribe(groupId, {
        ...asking(value).options,
        concurrency: 1,
        onMessage: async () => {
          if (delayMs > 0) await pause(delayMs)
        },
      })
    const steady = kinds.flatMap((value) =>
      [0, 1].map((delayMs) => ({ value, places: subscribe(value, unique('group'), delayMs) })),
    )
    const goers = kinds.map((value) => ({ value, groupId: unique('group'), seen: [] as string[] }))
    for (let round = 0; round < 4; round += 1) {
      const comers = goers.map((goer) => ({ goer, places: subscribe(goer.value, goer.groupId, 0) }))
      const batch = numbered(200).map((number) => `${kinds[(Number(number) * 7 + round) % 4]} ${round} ${number}`)
      written.push(...batch)
      await broker.write(topic, ...batch)
      for (const { places } of steady) if (round % 2 === 0) places.places.changed()
      for (const { goer, places } of comers) {
        await places[Symbol.asyncDispose]()
        goer.seen.push(...places.seen)
      }
    }
    const ofKind = (value: string) => written.filter((text) => text.startsWith(`${value} `))
    for (const { value, places } of steady) {
      await waitFor(`all of ${value}`, () => places.seen.length >= ofKind(value).length)
      expect(places.seen).toEqual(ofKind(value))
    }
    for (const { value, groupId, seen } of goers) {
      const rest = subscribe(value, groupId, 0)
      await waitFor(`the rest of ${value}`, () => seen.length + rest.seen.length >= ofKind(value).length)
      expect([...seen, ...rest.seen]).toEqual(ofKind(value))
    }
  })
})
