import { Component, type ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type Props = { readonly children: ComponentChildren }
type State = { readonly error: unknown }

/** Shows a designed error in place of children that cannot be rendered. */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }

  static override getDerivedStateFromError(error: unknown): State {
    return { error: error ?? 'unknown' }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ComponentChildren {
    if (this.state.error === null) return this.props.children
    return (
      <main id="main">
        <Notice
          tone="danger"
          title="Something went wrong"
          actions={
            <Button tone="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          This page failed in your browser. Nothing saved on the site is affected.
        </Notice>
      </main>
    )
  }
}
