import { useSignal } from '@preact/signals'
import { Check, Field } from '../pieces/field.tsx'
import { setter } from '../setter.ts'
import { exampleOf, fieldsOf, objectOf, parsedValue, type Schema, schemaOf, textOf } from './schema.ts'
import { SchemaField } from './schema-field.tsx'

interface BodyFormProps {
  readonly mediaType: string
  readonly schema: unknown
  readonly body: string
  readonly onBody: (body: string) => void
}

export function firstBody(schema: unknown, example: unknown): string {
  const value = example ?? exampleOf(schema)
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}

/** A body field by field where its schema is a plain object, else as text. */
export function BodyForm({ mediaType, schema, body, onBody }: BodyFormProps) {
  const fields = fieldsOf(schema)
  const asText = useSignal(fields === undefined)
  const values = objectOf(body)
  const canFields = fields !== undefined && values !== undefined
  return (
    <fieldset class="stack">
      <legend>
        Body <span class="muted">{mediaType}</span>
      </legend>
      {canFields && !asText.value ? (
        <BodyFields fields={fields} required={schemaOf(schema).required ?? []} values={values} onBody={onBody} />
      ) : (
        <Field label="Body as text" value={body} onValue={onBody} rows={Math.min(16, body.split('\n').length + 1)} />
      )}
      {canFields && <Check label="As text" checked={asText.value} onChecked={setter(asText)} />}
    </fieldset>
  )
}

interface BodyFieldsProps {
  readonly fields: readonly (readonly [name: string, schema: Schema])[]
  readonly required: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  readonly onBody: (body: string) => void
}

function BodyFields({ fields, required, values, onBody }: BodyFieldsProps) {
  const set = (name: string, schema: Schema) => (text: string) => {
    const value = text === '' && !required.includes(name) ? undefined : parsedValue(text, schema)
    onBody(JSON.stringify({ ...values, [name]: value }, undefined, 2))
  }
  return (
    <>
      {fields.map(([name, schema]) => (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          isRequired={required.includes(name)}
          text={textOf(values[name])}
          onText={set(name, schema)}
        />
      ))}
    </>
  )
}
