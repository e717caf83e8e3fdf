import { expect, it } from 'vitest'
import { containerEnvironment } from './container-environment.ts'

it('has the variables of ConfigMaps and Secrets, then its own, and says whose values are not here', () => {
  const container = {
    envFrom: [
      { configMapRef: { name: 'shop' } },
      { prefix: 'X_', secretRef: { name: 'here' } },
      { configMapRef: { name: 'gone' } },
      { configMapRef: { name: 'gone', optional: true } },
    ],
    env: [
      { name: 'A', value: 'own' },
      { name: 'HOST', value: '$(A).example' },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 'kafka', key: 'key', optional: true } } },
      { name: 'B', valueFrom: { configMapKeyRef: { name: 'shop', key: 'no' } } },
    ],
  }
  const data: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    shop: { A: '1', B: '2' },
    here: { C: '3' },
  }
  const { env, given, isOpen, problems } = containerEnvironment(container, (_kind, name) => data[name])
  expect(env).toEqual({ A: 'own', X_C: '3' })
  expect([...given]).toEqual([
    ['HOST', { optional: false }],
    ['POD', { optional: false }],
    ['KEY', { key: 'kafka/key', optional: true }],
  ])
  expect(isOpen).toBe(false)
  expect(problems).toEqual(['ConfigMap gone of envFrom does not exist', 'B comes from an unknown ConfigMap: shop/no'])
  expect(containerEnvironment({ envFrom: [{ secretRef: { name: 'gone' } }] }, () => undefined).isOpen).toBe(true)
})

it('leaves open what comes from a ConfigMap that may be elsewhere', () => {
  const container = {
    envFrom: [{ configMapRef: { name: 'gone' } }],
    env: [
      { name: 'A', valueFrom: { configMapKeyRef: { name: 'gone', key: 'a' } } },
      { name: 'B', valueFrom: { configMapKeyRef: { name: 'here', key: 'no' } } },
    ],
  }
  const dataOf = (_kind: string, name: string) => (name === 'here' ? {} : undefined)
  const { given, isOpen, problems, unread } = containerEnvironment(container, dataOf, true)
  expect({ given: [...given.keys()], isOpen }).toEqual({ given: ['A'], isOpen: true })
  expect(problems).toEqual(['B comes from an unknown ConfigMap: here/no'])
  expect(unread).toEqual(['ConfigMap gone of envFrom does not exist', 'A comes from an unknown ConfigMap: gone/a'])
  const optional = { envFrom: [{ configMapRef: { name: 'gone', optional: true } }] }
  expect(containerEnvironment(optional, dataOf, true)).toMatchObject({ isOpen: true, unread: [] })
})

it('has variables whose values in a ConfigMap are not known as given', () => {
  const container = {
    envFrom: [{ configMapRef: { name: 'first' } }, { configMapRef: { name: 'second' } }],
    env: [{ name: 'C', valueFrom: { configMapKeyRef: { name: 'first', key: 'B' } } }],
  }
  const data: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    first: { A: '1', B: undefined },
    second: { A: undefined, B: '2' },
  }
  const { env, given, problems } = containerEnvironment(container, (_kind, name) => data[name])
  expect({ env, given: [...given.keys()], problems }).toEqual({ env: { B: '2' }, given: ['A', 'C'], problems: [] })
})
