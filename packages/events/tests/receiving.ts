import { startHttpServer } from '@taproom/testkit'
import express, { type ErrorRequestHandler } from 'express'
import { type EventHandler, type ReceiveOptions, receiveEvents } from '../src/index.ts'

/** An event in binary mode. */
export const headers = {
  'ce-id': '1',
  'ce-source': '/curl',
  'ce-type': 'aloha',
  'ce-specversion': '1.0',
  'content-type': 'application/json',
}
export const body = '{"msg":"Aloha"}'

/** A server with `receiveEvents`, which answers other errors with 500 and their message. */
export function start(handler: EventHandler, options?: ReceiveOptions) {
  const onError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
    res.status(500).type('text').send(error.message)
  }
  return startHttpServer(express().use(receiveEvents(handler, options)).use(onError))
}
