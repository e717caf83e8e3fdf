import { startHttpServer } from '@taproom/testkit'
import express, { type RequestHandler } from 'express'
import { type OpenApiDocument, openApiRoutes } from '../src/index.ts'

/** A plain express app that serves only a description, after the handlers in `before`. */
export async function startServer(document: OpenApiDocument, before: readonly RequestHandler[] = []) {
  const server = await startHttpServer(express().use([...before, openApiRoutes(document)]))
  return { ...server, get: (path: string, init?: RequestInit) => fetch(server.url + path, init) }
}
