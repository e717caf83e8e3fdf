/** A name that breaks behind its separators, such as `http.request.method`, and inside of a word only where nothing else is possible. */
export function Breakable({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=[./:_-])(?=[^./:_-])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  )
}
