import { expect } from 'vitest'

/** What a sender needs for destinations that no test here has. */
export const UNUSED = {
  serving: { acquire: () => expect.fail() },
  clients: { of: () => expect.fail() },
  subject: 'system:serviceaccount:default:test',
  tokenFor: () => expect.fail(),
}
