import { describe, it } from 'vitest'
import { canBeFollowed, followGuide } from './follow-guide.ts'
import { readGuides } from './read-guides.ts'

describe('the guides', async () => {
  it.concurrent.each((await readGuides()).filter(canBeFollowed))('$name: every file and command works', followGuide)
})
