import { describe, expect, it } from 'vitest'
import { system } from '../../tests/fixtures/taproom.ts'
import { readConfig } from '../config.ts'
import { stateFolder } from '../state/state-folder.ts'
import { describeServices } from './services.ts'

function platformEnvironment(env: Record<string, string>) {
  const config = readConfig(env, '/project', system)
  const folder = stateFolder(config.stateDir, system.keeps)
  const services = describeServices({ system, config, env, cwd: '/project', folder, issuer: undefined })
  return services.find(({ name }) => name === 'event-platform')?.env(0, () => undefined)
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

  it('lets relative paths mean the folder of the caller', () => {
    expect(platformEnvironment({ RESOURCES_FILE: 'my.json', APPS_DIR: '../apps' })).toMatchObject({
      RESOURCES_FILE: '/project/my.json',
      APPS_DIR: '/apps',
    })
  })
})
