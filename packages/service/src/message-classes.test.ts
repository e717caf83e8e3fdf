import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { messageClasses } from './message-classes.ts'

describe('messageClasses', () => {
  it('makes messages that express finds to be its own already', () => {
    const app = express()
    const classes = messageClasses(app)
    if (classes.IncomingMessage === undefined || classes.ServerResponse === undefined) throw new Error('both are given')
    const req = new classes.IncomingMessage(new Socket())
    const res = new classes.ServerResponse(req)
    expect(Object.getPrototypeOf(req)).toBe(app.request)
    expect(Object.getPrototypeOf(res)).toBe(app.response)
    expect(req).toBeInstanceOf(IncomingMessage)
    expect(res).toBeInstanceOf(ServerResponse)
    expect(res.req).toBe(req)
  })

  it('leaves other handlers with Node’s own', () => {
    expect(messageClasses((_req, res) => res.end())).toEqual({})
  })
})
