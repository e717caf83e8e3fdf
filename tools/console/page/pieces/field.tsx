import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: 'text' | 'search' | 'number' | 'datetime-local'
  readonly hint?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly isFilter?: boolean
  readonly rows?: number
}

export function Field(props: FieldProps) {
  const { label, value, onValue, type = 'text', hint, placeholder, required = false, isFilter = false, rows } = props
  const id = useId()
  const take = (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value)
  return (
    <div class="field">
      <label for={id}>
        {label}
        {required && <em> required</em>}
      </label>
      {rows === undefined ? (
        <input
          id={id}
          type={type as 'text'}
          value={value}
          onInput={take}
          step={type === 'datetime-local' ? 1 : undefined}
          placeholder={placeholder}
          required={required}
          spellcheck={false}
          autocomplete="off"
          {...(isFilter ? { 'data-filter': '' } : {})}
        />
      ) : (
        <textarea id={id} value={value} onInput={take} rows={rows} spellcheck={false} required={required} />
      )}
      {hint !== undefined && <small>{hint}</small>}
    </div>
  )
}

/** A search field that gives its text to `onValue` 200 ms after the last key. */
export function SearchField({
  label,
  value,
  onValue,
  ...rest
}: Pick<FieldProps, 'label' | 'value' | 'onValue' | 'placeholder'>) {
  const [text, setText] = useState(value)
  const given = useRef(value)
  // Takes a value that another part of the page has set. The field's own earlier text would remove letters typed since.
  useLayoutEffect(() => {
    if (value === given.current) return
    given.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === given.current) return
    const timer = setTimeout(() => {
      given.current = text
      onValue(text)
    }, 200)
    return () => clearTimeout(timer)
  }, [text])
  return <Field label={label} type="search" value={text} onValue={setText} isFilter {...rest} />
}

/** A time as an address has it, in milliseconds since 1970; shown in local time, and empty where there is none. */
export function TimeField({ label, value, onValue }: Pick<FieldProps, 'label' | 'value' | 'onValue'>) {
  const time = new Date(Number(value || Number.NaN))
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  const shown = Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 19)
  const take = (text: string) => {
    const given = Date.parse(text)
    onValue(Number.isNaN(given) ? '' : String(given))
  }
  return <Field label={label} type="datetime-local" value={shown} onValue={take} />
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** Values with their texts, or a value that is its own text. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly onValue: (value: string) => void
}

export function Choice({ label, value, options, onValue }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map((option) => {
          const [key, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={key} value={key}>
              {text}
            </option>
          )
        })}
      </select>
    </label>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly class?: string
}

export function Check({ label, checked, onChecked, class: name = '' }: CheckProps) {
  return (
    <label class={`check ${name}`}>
      <input type="checkbox" checked={checked} onChange={(event) => onChecked(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
