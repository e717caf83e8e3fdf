import { describe, expect, it } from 'vitest'
import { helpText, readCommandLine } from './command-line.ts'
import { readConfig } from './config.ts'
import { OptionError } from './errors.ts'

function configOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return readConfig(env, readCommandLine(args))
}

describe('the command line', () => {
  it('has an option for each setting, and a list of topics', () => {
    const args = [
      '--host',
      '::1',
      '--port=0',
      '--brokers',
      '3',
      '--advertise',
      'kafka.example:19092',
      '--data-dir',
      '/data',
    ]
    expect(configOf([...args, '--topic', 'beers:3', '--topic', 'a.b_c-1'])).toEqual({
      host: '::1',
      port: 0,
      brokers: 3,
      advertise: 'kafka.example:19092',
      dataDir: '/data',
      topics: [{ name: 'beers', partitions: 3 }, { name: 'a.b_c-1' }],
    })
  })

  it('counts before the variables, which count for the rest', () => {
    const env = { KAFKA_PORT: '1', KAFKA_DATA_DIR: '/data', KAFKA_TOPICS: 'a:1, b' }
    expect(configOf(['--port', '2'], env)).toMatchObject({
      port: 2,
      dataDir: '/data',
      topics: [{ name: 'a', partitions: 1 }, { name: 'b' }],
    })
    expect(configOf(['--topic', 'c'], env).topics).toEqual([{ name: 'c' }])
  })

  it.each([
    [['--port', 'x'], /^--port must be a port from 0 to 65535; got "x"$/],
    [['--port', '-1'], /^--port must be a port from 0 to 65535; got "-1"$/],
    [['--port'], /^--port must have a value, PORT; got nothing$/],
    [['--port='], /^--port must have a value, PORT; got nothing$/],
    [['--port', '--topic', 'a'], /^--port must have a value, PORT; got "--topic"; .*"a"$/],
    [['--port', '1', '--port', '2'], /^--port must be given once; got "2" as well/],
    [['--advertise', 'example'], /^--advertise must be host:port, an IPv6 address in brackets; got "example"$/],
    [['--control-port', '70000'], /^--control-port must be a port from 0 to 65535; got "70000"$/],
    [['--control-host', 'h'], /^--control-host must not be given without a control port; got "h"$/],
    [['--brokers', '0'], /^--brokers must be a number from 1 to 9; got "0"$/],
    [['--brokers', '10'], /^--brokers must be a number from 1 to 9; got "10"$/],
    [['--topic', 'a:0'], /^--topic must be NAME or NAME:PARTITIONS, with at least 1 partition; got "a:0"$/],
    [['--topic', 'a:1,b:99999999'], /--topic .*got "b:99999999"$/],
    [['--topic', 'a b'], /--topic .*got "a b"$/],
    [['--topic', ':3'], /--topic .*got ":3"$/],
    [['--ports', '1'], /^--ports is no option; expected one of --host, --port, .*--version; .*got "1"$/],
    [['-p', '1'], /^-p is no option/],
    [['9092'], /^there are no arguments but options; got "9092"$/],
    [['--help=yes'], /^--help takes no value; got "yes"$/],
  ])('refuses %j, naming option, value and what was expected', (args, message) => {
    expect(() => configOf(args)).toThrow(OptionError)
    expect(() => configOf(args)).toThrow(message)
  })

  it('decisions 3.64: names everything that is wrong at once, options and variables', () => {
    expect(() => configOf(['--port', 'x', '--old'], { KAFKA_TOPICS: ':' })).toThrow(/--old .*--port .*KAFKA_TOPICS /)
  })

  it('does not mix the two forms of listeners', () => {
    const listeners = { KAFKA_LISTENERS: 'PLAINTEXT://:1' }
    expect(() => configOf(['--port', '1'], listeners)).toThrow(/KAFKA_LISTENERS must not be given together with --port/)
    expect(() => configOf(['--advertise', 'a:1'], listeners)).toThrow(
      /--advertise must not be given together with KAFKA_LISTENERS; got "a:1"/,
    )
  })

  it('shows in its help every option with its variable', () => {
    const options = [
      'host',
      'port',
      'brokers',
      'advertise',
      'data-dir',
      'topic',
      'control-port',
      'exit-on-stdin-close',
      'health',
      'help',
      'version',
    ]
    for (const option of options) expect(helpText()).toMatch(new RegExp(`^  --${option}[ =]`, 'm'))
    expect(helpText()).toContain('[KAFKA_DATA_DIR]')
  })
})
