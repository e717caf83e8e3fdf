import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eventually } from '@taproom/testkit'
import { beforeBrowserTests } from '@taproom/testkit/browser-tests'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { goTo, sharedBrowser, type Visit, visit } from './fixtures/browser.ts'
import { type KafkaClient, kafkaClient, numbered } from './fixtures/kafka.ts'
import { sharedSystem } from './fixtures/shared-system.ts'

const opened = new AsyncDisposableStack()
let kafka: KafkaClient
let one: Visit
let page: Page
beforeBrowserTests(async () => {
  const system = await sharedSystem()
  kafka = kafkaClient(system.bootstrapServers)
  one = opened.use(await visit(await sharedBrowser(), system.page))
  page = one.page
})
afterAll(() => opened.disposeAsync())

const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('Kafka in the page', () => {
  it('topics are created, configured, and get partitions or are deleted by who types their name', async () => {
    const name = `page-${randomUUID()}`
    await goTo(page, '/kafka')
    await page.getByText('Create a topic').click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Partitions').fill('2')
    await page.getByLabel('Configuration').fill('retention.ms=60000')
    await button('Create').click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByText('Settings', { exact: true }).click()
    const settings = page.getByRole('region', { name: 'Configuration' })
    await settings.getByRole('listitem').filter({ hasText: 'retention.ms' }).getByText('60000').waitFor()
    await page.getByLabel('Entry').fill('retention.ms')
    await page.getByLabel('Value', { exact: true }).last().fill('long')
    await button('Set entry').click()
    await settings.getByText('The value 60000 is lost.').waitFor()
    await button('Confirm').click()
    await settings.getByRole('alert').getByText('INVALID_CONFIG').waitFor()
    await button('Reset retention.ms').click()
    await settings.getByText('The value 60000 is lost.').waitFor()
    await button('Cancel').click()
    await button('Reset retention.ms').click()
    await button('Confirm').click()
    await eventually(async () => expect(await button('Reset retention.ms').count()).toBe(0))
    await page.getByRole('spinbutton', { name: 'Number of partitions' }).fill('3')
    expect(await button('Add partitions').isDisabled()).toBe(true)
    await page.getByLabel('Type the topic name to add partitions').fill(name)
    await button('Add partitions').click()
    await page.getByRole('region', { name: 'Partitions', exact: true }).getByText('partition 2').waitFor()
    expect(await button('Delete topic').isDisabled()).toBe(true)
    await page.getByLabel('Type the topic name to delete it').fill(name)
    await button('Delete topic').click()
    await page.getByRole('heading', { level: 1, name: 'Kafka' }).waitFor()
    await eventually(async () => expect(await page.getByRole('link', { name }).count()).toBe(0))
  })

  it('records are searched, and the search says how far it has read', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(10_500))
    await kafka.write(topic, [{ value: '{"name":"Duvel"}', partition: 0 }])
    await goTo(page, `/kafka/topics/${topic}`)
    await page.getByLabel('Search in keys and values').fill('duvel')
    await page.getByText(/records read.*more records remain/).waitFor()
    await page.getByRole('option', { name: /Duvel/ }).waitFor()
    const end = page.getByText(/records read.*all records were read/)
    while (!(await end.isVisible())) {
      const reach = await page.getByText(/records read/).textContent()
      await button('Search further').click()
      await eventually(async () => expect(await page.getByText(/records read/).textContent()).not.toBe(reach))
    }
    expect(await page.getByRole('listbox', { name: 'Records of the topic' }).getByRole('option').count()).toBe(1)
  })

  it('a cut record says so and is saved whole, and hidden characters are escapes', async () => {
    const topic = await kafka.makeTopic()
    const value = `begin\u202e${'é'.repeat(40_000)} end`
    await kafka.write(topic, [{ key: 'a\u200bb', value, partition: 0 }])
    await goTo(page, `/kafka/topics/${topic}`)
    await page.getByRole('option', { name: /a\\u200bb begin\\u202e/ }).click()
    const chosen = page.getByRole('complementary', { name: 'The chosen record' })
    await chosen.getByText('only the first 64 KiB of 78.1 KiB').waitFor()
    expect(await chosen.textContent()).toContain('begin\\u202e')
    for (const [name, content] of [
      ['Save value', (file: string) => file],
      ['Save record', (file: string) => JSON.parse(file).value.text],
    ] as const) {
      const download = page.waitForEvent('download')
      await button(name).click()
      expect(content(await readFile(await (await download).path(), 'utf8'))).toBe(value)
    }
  })

  it('offsets of a group without members are set after a preview', async () => {
    const topic = await kafka.makeTopic()
    await kafka.write(topic, numbered(3), { end: 'commit' })
    const group = `late-${randomUUID()}`
    await (await kafka.reading(group, topic, 3))[Symbol.asyncDispose]()
    await goTo(page, '/kafka')
    const card = page.getByRole('article', { name: group })
    await card.getByText('up to date').waitFor()
    await card.getByText('Set offsets').click()
    await card.getByLabel('Go to').selectOption('offset')
    await card.getByRole('spinbutton', { name: 'Offset' }).fill('1')
    await card.getByRole('button', { name: 'Preview' }).click()
    await card.getByText('partition 0: 3 → 1, reads at most 2 records again').waitFor()
    await card.getByText('up to date').waitFor()
    await card.getByRole('button', { name: 'Set these offsets' }).click()
    await card.getByText('lag 2').waitFor()
  })

  it('had no error, and asked no other server', () => {
    expect(one.problems).toEqual([])
  })
})
