import { parentPort } from 'node:worker_threads'
import { type ParsedManifest, parseManifests } from './parse-manifests.ts'
import type { YamlAnswer, YamlQuestion } from './yaml-thread.ts'

function answerTo(question: YamlQuestion): ParsedManifest | YamlAnswer {
  if ('file' in question) return parseManifests(question.file, question.text)
  const { documents, problem } = parseManifests('body', question.text)
  if (problem !== undefined) return { problem: `line ${problem.line}: ${problem.rule}` }
  if (documents.length > 1) return { problem: 'it holds more than one document' }
  const json = JSON.stringify(documents[0]?.value) ?? 'null'
  return json.length > question.mostBytes
    ? { problem: `it has more than ${question.mostBytes} bytes as JSON` }
    : { json }
}

parentPort?.on('message', (question: YamlQuestion) => parentPort?.postMessage(answerTo(question)))
