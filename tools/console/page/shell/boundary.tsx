import { Component, type ComponentChildren } from 'preact'
import { problemOf } from '../api.ts'

interface Props {
  /** The address of the view; with another one the boundary draws again. */
  readonly address: string
  readonly children: ComponentChildren
}

interface State {
  readonly broken: string | undefined
}

/** Shows the message of a view that cannot be drawn in its place, until the address changes. The rest of the page works on. */
export class Boundary extends Component<Props, State> {
  override state: State = { broken: undefined }

  override componentDidCatch(error: unknown): void {
    console.error(error)
    this.setState({ broken: problemOf(error).message })
  }

  override componentDidUpdate({ address }: Props): void {
    if (address !== this.props.address) this.setState({ broken: undefined })
  }

  override render({ children }: Props, { broken }: State) {
    if (broken === undefined) return children
    return (
      <>
        <h1>This view failed</h1>
        <div class="notice bad" role="alert">
          <strong>{broken}</strong> Choose another view, or reload the page.
        </div>
      </>
    )
  }
}
