import { broker, defineSystem, eventPlatform, kafka, type Place, type System } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { system } from '../../tests/fixtures/taproom.ts'
import { readConfig } from '../config.ts'
import { stateFolder } from '../state/state-folder.ts'
import { environmentOf } from './environment.ts'
import { tracesSetBy } from './service-environment.ts'
import { describeServices } from './services.ts'

function platformEnvironment(env: Record<string, string>) {
  return environmentFor('event-platform', system, env)
}

function environmentFor(name: string, system: System, env: Record<string, string>, tracesTo?: string) {
  const config = readConfig(env, { cwd: '/project', root: '/project' }, system)
  const folder = stateFolder(config.stateDir, system.keeps)
  const files = { root: '/repository', program: (name: string) => name }
  const gateway = () => 'http://127.0.0.1:8080'
  const services = describeServices({
    system,
    files,
    config,
    env,
    cwd: '/project',
    folder,
    issuer: undefined,
    gateway,
    tracesTo,
  })
  return environmentOf(services.find((service) => service.name === name)?.layers(0, () => undefined) ?? [])
}

describe('describeServices', () => {
  it('keeps what was made through the resource API in the state folder', () => {
    expect(platformEnvironment({})?.['RESOURCES_FILE']).toBe('/project/.taproom/resources.json')
  })

  it('lets triggers go on sooner after a kill where the embedded broker allows it', () => {
    expect(platformEnvironment({})?.['KAFKA_SESSION_TIMEOUT_MS']).toBe('3000')
    expect(platformEnvironment({ KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092' })).not.toHaveProperty(
      'KAFKA_SESSION_TIMEOUT_MS',
    )
  })

  it('decisions 3.113: leads an app to the broker behind the gateway, unless it was given another', () => {
    const apps = { 'event-platform': eventPlatform(kafka), orders: { needs: [broker] } }
    const shop = defineSystem({ name: 'shop', apps })
    expect(environmentFor('orders', shop, {})?.['BROKER_URL']).toBe('http://127.0.0.1:8080/brokers/default/default')
    const given = { BROKER_URL: 'http://broker.example' }
    expect(environmentFor('orders', shop, given)).toMatchObject(given)
  })

  it('knows the addresses of stand-ins, and of nothing else', () => {
    const shopWith = (name: string) => {
      const orders = { needs: [kafka], env: ({ address }: Place) => ({ AT: address(name) }) }
      return defineSystem({ name: 'shop', apps: { orders } })
    }
    expect(environmentFor('orders', shopWith('embedded-kafka'), {})?.['AT']).toBe('127.0.0.1:9')
    expect(() => environmentFor('orders', shopWith('event-platform'), {})).toThrow(
      new RangeError('system: address of "event-platform": expected a stand-in: embedded-kafka'),
    )
  })

  it('decisions 3.117: lets stand-ins go wrong on purpose in development mode alone, unless variables say otherwise', () => {
    const controls = (name: string, env: Record<string, string>) => {
      const { STANDIN_CONTROL_ENABLED, KAFKA_CONTROL_PORT } = environmentFor(name, system, env)
      return [STANDIN_CONTROL_ENABLED, KAFKA_CONTROL_PORT]
    }
    expect(controls('film-standin', {})).toEqual(['true', '0'])
    const given = { STANDIN_CONTROL_ENABLED: 'false', KAFKA_CONTROL_PORT: '9094' }
    expect(controls('embedded-kafka', given)).toEqual(['false', '9094'])
    expect(controls('movie-api', {})).toEqual([undefined, undefined])
    const production = { NODE_ENV: 'production', MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/key.pem' }
    expect(controls('film-standin', production)).toEqual([undefined, undefined])
  })

  it('lets relative paths mean the folder of the caller', () => {
    expect(platformEnvironment({ RESOURCES_FILE: 'my.json', APPS_DIR: '../apps' })).toMatchObject({
      RESOURCES_FILE: '/project/my.json',
      APPS_DIR: '/apps',
    })
  })

  it('decisions 3.114: sends traces to the console, unless variables say anything of exporters', () => {
    const traced = (env: Record<string, string>) => environmentFor('movie-api', system, env, 'http://127.0.0.1:4999')
    expect(traced({})).toMatchObject({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4999/v1/traces',
      OTEL_BSP_SCHEDULE_DELAY: '1000',
    })
    expect(traced({})).not.toHaveProperty('OTEL_EXPORTER_OTLP_ENDPOINT')
    expect(traced({ OTEL_BSP_SCHEDULE_DELAY: '50' })).toMatchObject({ OTEL_BSP_SCHEDULE_DELAY: '50' })
    for (const env of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' },
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example/v1/traces' },
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
      { OTEL_TRACES_EXPORTER: 'none' },
      { OTEL_SDK_DISABLED: 'True' },
    ] as Record<string, string>[]) {
      expect(traced(env)).toMatchObject(env)
      expect(tracesSetBy(env)).toBe(Object.keys(env)[0])
      expect(traced(env)).not.toHaveProperty('OTEL_BSP_SCHEDULE_DELAY')
    }
    expect(environmentFor('movie-api', system, {})).not.toHaveProperty('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  })
})
