import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Viewer } from '../../contract/accounts.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { DeleteAccount } from './delete-account.tsx'

/** What is kept about the reader: to take along, or to delete. The packs service does both. */
export const DataCard = ({ viewer }: { readonly viewer: Viewer }): JSX.Element => {
  const [isAsking, setAsking] = useState(false)
  return (
    <section class="account-card" aria-labelledby="data-title">
      <h2 id="data-title">Your data</h2>
      {pageData().service === 'packs' ? (
        <>
          <p class="quiet-text">
            Your packs and everything else we store about you, as one JSON file.
          </p>
          <div class="account-stack">
            <LinkButton icon="download" href="/session/my-data">
              Download all my data
            </LinkButton>
            <Button tone="danger" onClick={() => setAsking(true)}>
              Delete my account
            </Button>
          </div>
          <DeleteAccount viewer={viewer} isOpen={isAsking} onCancel={() => setAsking(false)} />
        </>
      ) : (
        <p class="quiet-text">
          Both services share one account. Download or delete its data on{' '}
          <a href={pageHref('/account')}>the account page of the packs site</a>.
        </p>
      )}
    </section>
  )
}
