import { z } from 'zod'

/** The range of PostgreSQL's `integer`. */
const MAX_ID = 2_147_483_647

const id = z.int().min(1).max(MAX_ID)

/** Without U+FFFD, which stands for what was not UTF-8. */
const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}\uFFFD]*$/u, 'expected no control characters')

export type NewTemplateItem = z.infer<typeof newTemplateItemSchema>
export const newTemplateItemSchema = z.strictObject({ name })

export type TemplateItem = z.infer<typeof templateItemSchema>
export const templateItemSchema = newTemplateItemSchema.extend({ id })

export const idSchema = z.object({ id: whole(MAX_ID) })

export type Page = z.infer<typeof pageSchema>
export const pageSchema = z.object({
  limit: whole(100).default(20).describe('How many, at most.'),
  after: whole(MAX_ID).optional().describe('The id of the last one of the page before.'),
})

/** Without `next` there are no more. */
export const listSchema = z.strictObject({ items: z.array(templateItemSchema), next: z.string().optional() })

/** A parameter of query or path from 1 on: digits alone, so that `0x1` and `1e0` are not further names of 1. */
function whole(max: number) {
  return z.preprocess((text) => (/^[1-9]\d*$/.test(String(text)) ? Number(text) : text), z.int().min(1).max(max))
}
