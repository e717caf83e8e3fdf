import { startHttpServer } from '@taproom/testkit'
import express, { type RequestHandler } from 'express'
import { type OpenApiDocument, openApiRoutes } from '../src/index.ts'

/** A bare express app that serves a description after what runs `before`, and nothing of this project besides. */
export async function startServer(document: OpenApiDocument, before: readonly RequestHandler[] = []) {
  const server = await startHttpServer(express().use([...before, openApiRoutes(document)]))
  return { ...server, get: (path: string, init?: RequestInit) => fetch(server.url + path, init) }
}
