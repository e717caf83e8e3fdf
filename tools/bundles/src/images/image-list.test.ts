import { describe, expect, it } from 'vitest'
import { chooseImages } from './images.ts'

const images = ['claim-api', 'movie-api', 'event-sinks'].map((name) => ({ name, apps: [name] }))

describe('chooseImages', () => {
  it('takes all when none is named', () => expect(chooseImages(images, [])).toEqual(images))

  it('takes those that are named', () => {
    expect(chooseImages(images, ['movie-api']).map(({ name }) => name)).toEqual(['movie-api'])
  })

  it('refuses what is no image, naming those that are', () => {
    expect(() => chooseImages(images, ['movie-api', 'aloha-sink'])).toThrow(/^aloha-sink: no such image; .*event-sinks/)
  })
})
