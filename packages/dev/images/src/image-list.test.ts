import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chooseImages, listImages } from './image-list.ts'

const apps = readdirSync(new URL('../../../../apps', import.meta.url))
const images = listImages(apps)

describe('listImages', () => {
  it('has every app in an image', () => {
    const inImages = new Set(images.flatMap((image) => image.apps))
    expect(apps.filter((app) => !inImages.has(app))).toEqual([])
  })

  it('decisions 3.20: puts both sinks in the one image event-sinks, and each other app in one of its own name', () => {
    expect(images).toContainEqual({ name: 'event-sinks', apps: ['aloha-sink', 'bonjour-sink'] })
    for (const app of apps.filter((name) => !name.endsWith('-sink'))) {
      expect(images.find(({ name }) => name === app)?.apps[0], app).toBe(app)
    }
    expect(images.filter(({ name }) => name.endsWith('-sink'))).toEqual([])
  })
})

describe('chooseImages', () => {
  it('takes all when none is named', () => expect(chooseImages(images, [])).toEqual(images))

  it('takes those that are named', () => {
    expect(chooseImages(images, ['movie-api']).map(({ name }) => name)).toEqual(['movie-api'])
  })

  it('refuses what is no image, naming those that are', () => {
    expect(() => chooseImages(images, ['movie-api', 'aloha-sink'])).toThrow(/^aloha-sink: no such image; .*event-sinks/)
  })
})
