/** A text in which each place that has the wanted one, in any case, is marked. */
export function Marked({ text, wanted }: { text: string; wanted: string }) {
  if (wanted === '') return <>{text}</>
  const parts = text.split(new RegExp(`(${RegExp.escape(wanted)})`, 'gi'))
  return <>{parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</>
}
