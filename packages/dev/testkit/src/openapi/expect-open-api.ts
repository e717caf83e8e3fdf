import { Validator } from '@seriousme/openapi-schema-validator'
import type { ApiDocument } from './document.ts'

/** @throws {Error} when the document is no valid OpenAPI 3.1, or names one operation twice */
export async function expectOpenApi(document: object): Promise<void> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
  if (!valid) throw new Error(`no valid OpenAPI: ${JSON.stringify(errors)}`)
  if (validator.version !== '3.1') throw new Error(`OpenAPI ${validator.version} instead of 3.1`)
  const ids = Object.values((document as ApiDocument).paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  const twice = ids.filter((id, index) => id !== undefined && ids.indexOf(id) < index)
  if (twice.length > 0) throw new Error(`operations of one name: ${twice.join(', ')}`)
}
