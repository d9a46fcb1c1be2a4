import type { ComponentChildren, JSX } from 'preact'

type Props = {
  readonly title: string
  /** `danger` interrupts screen readers. */
  readonly tone?: 'plain' | 'danger'
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/** Something about the whole edit, in between the rest. */
export const EditNotice = ({ title, tone = 'plain', children, actions }: Props): JSX.Element => (
  <section class={`edit-notice ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
    <div>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
    {actions && <p class="actions">{actions}</p>}
  </section>
)
