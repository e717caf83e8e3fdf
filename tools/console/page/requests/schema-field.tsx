import { Choice, Field } from '../pieces/field.tsx'
import { hintOf, type Schema, textOf, typeOf } from './schema.ts'

interface SchemaFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
  readonly text: string
  readonly onText: (text: string) => void
}

/** The input that fits a schema. */
export function SchemaField({ name, schema, isRequired, description, text, onText }: SchemaFieldProps) {
  const hint = [description, hintOf(schema)].filter(Boolean).join('; ')
  const choices = schema.enum?.map(textOf) ?? (typeOf(schema) === 'boolean' ? ['true', 'false'] : undefined)
  if (choices !== undefined) {
    const none = isRequired ? [] : [['', '(not sent)'] as const]
    return (
      <Choice
        label={isRequired ? `${name} (required)` : name}
        value={text}
        options={[...none, ...choices]}
        onValue={onText}
      />
    )
  }
  return <Field label={name} value={text} onValue={onText} required={isRequired} {...(hint === '' ? {} : { hint })} />
}
