import { expect, it } from 'vitest'
import { misspeltVariables } from './misspelt.ts'

const KNOWN = ['PRICE_MIN', 'PRICE_MAX', 'FILM_RETRY_MAX_RETRIES', 'HTTP_PORT', 'mp.jwt.verify.issuer', 'KAFKA_PORT']

it.each([
  ['a letter too many', 'PRICE_MINN', 'PRICE_MIN'],
  ['two letters swapped', 'FILM_RETRY_MAX_RETIRES', 'FILM_RETRY_MAX_RETRIES'],
  ['one too few, of a property', 'MP_JWT_VERIFY_ISUER', 'MP_JWT_VERIFY_ISSUER'],
])('names the variable that was meant: %s', (_case, name, meant) => {
  expect(misspeltVariables({ [name]: 'x' }, KNOWN)).toEqual([{ name, meant }])
})

it.each([
  ['one that is read', { PRICE_MIN: '1' }],
  ['one that is close to another that is set, too', { PRICE_MIN: '1', PRICE_MIX: '1', PRICE_MAX: '2' }],
  [
    'names of other programs',
    { HTTP_PROXY: 'x', NODE_OPTIONS: 'x', LC_ALL: 'C', LS_COLORS: 'x', npm_config_port: '1' },
  ],
  ['short names and those without _', { PRT: '1', KAFKAPORT: '1' }],
])('says nothing of %s', (_case, env) => {
  expect(misspeltVariables(env, KNOWN)).toEqual([])
})
