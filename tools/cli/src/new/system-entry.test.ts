import { describe, expect, it } from 'vitest'
import { NewUsageError } from './errors.ts'
import type { Part } from './parts.ts'
import { appEntry, issuerIn, sinkEntry, withEntry } from './system-entry.ts'

const SYSTEM = `const kafka = 1
export const system = defineSystem({
  apps: {
    'one': {
      serves: ['/one'],
    },
  },
  sinks: {
  },
})
`

const entryOf = (part: Part) => appEntry('two', new Set([part]))

describe('withEntry', () => {
  it('adds the last entry of a block', () => {
    expect(withEntry(SYSTEM, 'sinks', sinkEntry('ciao', 'greeting'))).toMatch(
      /^ {2}sinks: \{\n'ciao': \{ app: 'ciao-sink', triggers: \{ 'ciao': \{ filter: \{ type: 'greeting' \}, .*\n {2}\},\n/m,
    )
    expect(sinkEntry('ciao', 'greeting', new Set(['database', 'outgoing']))).toContain('needs: [database, kafka],')
    const text = withEntry(SYSTEM, 'apps', appEntry('two', new Set(['incoming'])))
    expect(text).toMatch(/\['\/one'\],\n {4}\},\n'two': \{.* needs: \[kafka\],.*\n {2}\},\n {2}sinks/)
  })

  it('decisions 3.191: keeps the events that a new sink does not take in the topic of a broker', () => {
    expect(sinkEntry('ciao', 'greeting')).toContain(
      `delivery: { retry: 10, backoffPolicy: 'exponential', backoffDelay: 'PT0.2S' }, deadLetterSink: { broker: 'dead-letters' }`,
    )
  })

  it.each([
    ['database', 'database'],
    ['jwt', 'tokenIssuer'],
    ['remote', 'remoteService'],
  ] as const)('imports what %s needs from where defineSystem is', (part, name) => {
    const text = withEntry(`import { defineSystem } from '@taproom/system'\n${SYSTEM}`, 'apps', entryOf(part))
    expect(text).toContain(`import { defineSystem, ${name} } from '@taproom/system'\n`)
    expect(withEntry(text.replace("'two'", "'three'"), 'apps', entryOf(part))).toContain(`{ defineSystem, ${name} }`)
  })

  it('decisions 3.154: gives a system that takes tokens an issuer for production, once', () => {
    const start = `import { defineSystem } from '@taproom/system'\n${SYSTEM}`
    const text = withEntry(withEntry(start, 'apps', entryOf('jwt')), 'apps', appEntry('three', new Set(['jwt'])))
    expect(text.match(/^const issuer = tokenIssuer\(\{\n {2}production: \{$/gm)).toHaveLength(1)
    expect(text).toMatch(/^\}\)\n\nexport const system = defineSystem\(\{$/m)
    const imported = start.replace('defineSystem }', 'defineSystem, issuer }')
    expect(withEntry(imported, 'apps', entryOf('jwt'))).not.toContain('tokenIssuer')
  })

  it.each([
    ['of its own', "const tokens = tokenIssuer({ development: 'https://a.example' })\n", 'tokens'],
    ['in a line of its own', 'export const tokens: Need =\n  tokenIssuer()\n', 'tokens'],
    ['as usual', 'const issuer = tokenIssuer({})\n', 'issuer'],
    ['of the package, as comments say', '// const tokens = tokenIssuer()\n/* tokenIssuer() */\n', 'issuer'],
  ])('takes the issuer by a name %s', (_what, line, name) => {
    const text = `import { defineSystem } from '@taproom/system'\n${line}${SYSTEM}`
    expect(issuerIn(text)).toBe(name)
    const entered = withEntry(text, 'apps', appEntry('two', new Set(['jwt']), { issuer: issuerIn(text) }))
    expect(entered).toContain(`needs: [${name}]`)
    const isNew = !line.startsWith('const') && !line.startsWith('export')
    expect(/^import .*\btokenIssuer\b/.test(entered)).toBe(isNew)
  })

  it('refuses an issuer that has no name', () => {
    const text = SYSTEM.replace("serves: ['/one']", 'needs: [tokenIssuer({ production })]')
    expect(() => issuerIn(text)).toThrow(NewUsageError)
    expect(() => issuerIn(text)).toThrow('name it `issuer`')
  })

  it('opens a block that the formatter closed', () => {
    const text = SYSTEM.replace('sinks: {\n  },', 'sinks: {},')
    expect(withEntry(text, 'sinks', sinkEntry('ciao', 'greeting'))).toMatch(/^ {2}sinks: \{\n'ciao': .*\n {2}\},$/m)
  })

  it('decisions 3.111: leads the paths below that of a resource to it', () => {
    expect(appEntry('two', new Set(['http']), { hasResource: true })).toContain("serves: ['/two', '/two/*'],")
    expect(entryOf('http')).toContain("serves: ['/two'],")
  })

  it('says how a service runs on a cluster', () => {
    expect(entryOf('http')).toContain('cluster: {')
  })

  it.each([
    ['http', 'pods: { cpuPercent: 70 }'],
    ['outgoing', "pods: 'fixed'"],
  ] as const)('decisions 3.78: has no setting that outlives the example of %s', (part, pods) => {
    expect(entryOf(part)).toContain(pods)
  })

  it.each(['database', 'jwt', 'remote'] as const)('refuses %s where the system has no such need', (part) => {
    expect(() => withEntry(SYSTEM, 'apps', appEntry('two', new Set([part])))).toThrow(NewUsageError)
  })

  it('refuses a file without the block', () => {
    expect(() => withEntry('', 'apps', 'x')).toThrow('no block of apps')
  })
})
