import { describe, expect, it } from 'vitest'
import { describeApi, mergeDocuments, type Paths, problemResponse } from './index.ts'

const path = (name: string): Paths => ({
  [`/${name}`]: {
    get: {
      operationId: name,
      summary: name,
      tags: [name],
      responses: { '200': { description: 'ok' }, '502': { description: `of ${name}` } },
    },
  },
})
const service = (name: string, schemas = {}) =>
  describeApi({ title: name, description: name, paths: path(name), schemas })
const options = { title: 'all', description: 'All of it.', url: 'http://localhost:8080' }

describe('mergeDocuments', () => {
  it('decisions 1.73: is one document of all paths and schemas, at the base URL', () => {
    const merged = mergeDocuments([service('films', { Film: { type: 'object' } }), service('beers')], options)
    expect(merged.info).toEqual({ title: 'all', version: '1.0.0', description: 'All of it.' })
    expect(merged.servers).toEqual([{ url: 'http://localhost:8080' }])
    expect(merged.security).toEqual([])
    expect(Object.keys(merged.paths)).toEqual(expect.arrayContaining(['/films', '/beers', '/q/health']))
    expect(Object.keys(merged.components.schemas)).toEqual(['Film', 'Problem', 'HealthReport'])
    expect(merged.components).not.toHaveProperty('securitySchemes')
  })

  it('leaves out what is not served there', () => {
    const merged = mergeDocuments([service('films')], { ...options, serves: (name) => name === '/films' })
    expect(Object.keys(merged.paths)).toEqual(['/films'])
  })

  it('adds responses that every operation has there, and keeps those of its own', () => {
    const responses = { '502': problemResponse('broken off'), '503': problemResponse('not running') }
    const { get } = mergeDocuments([service('films')], { ...options, responses }).paths['/films'] ?? {}
    expect(Object.entries(get?.responses ?? {}).map(([status, { description }]) => [status, description])).toEqual([
      ['200', 'ok'],
      ['502', 'of films'],
      ['503', 'not running'],
    ])
  })

  it('refuses what two services describe in two ways', () => {
    const other = service('beers', { Film: { type: 'string' } })
    expect(() => mergeDocuments([service('films', { Film: { type: 'object' } }), other], options)).toThrow(
      'schema Film',
    )
  })
})
