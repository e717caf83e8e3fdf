import { z } from 'zod'

/** The range of PostgreSQL's `integer`. */
const id = z.coerce.number().int().min(1).max(2_147_483_647)

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'expected no control characters')

export type NewTemplateItem = z.infer<typeof newTemplateItemSchema>
export const newTemplateItemSchema = z.strictObject({ name })

export type TemplateItem = z.infer<typeof templateItemSchema>
export const templateItemSchema = newTemplateItemSchema.extend({ id })

export const idSchema = z.object({ id })

export type Page = z.infer<typeof pageSchema>
export const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many, at most.'),
  after: id.optional().describe('The id of the last one of the page before.'),
})

/** Without `next` there are no more. */
export const listSchema = z.strictObject({ items: z.array(templateItemSchema), next: z.string().optional() })
