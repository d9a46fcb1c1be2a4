import type { JSX } from 'preact'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { formatNumber } from '../format.ts'
import { pageData } from '../page-data.ts'
import { LinkButton, SignInButton } from '../parts/buttons.tsx'
import { Notice } from '../parts/notices.tsx'
import { MyPackList } from './my-pack-list.tsx'
import { useMyPacks } from './use-my-packs.ts'
import '../style/pack-list.css'
import '../style/my-packs.css'

const SignedOut = (): JSX.Element => (
  <Notice title="Sign in to see your packs" actions={<SignInButton />}>
    Packs are saved to your account. You can create a pack or open a pack key without one.
  </Notice>
)

const Count = ({ total }: { readonly total: number | undefined }): JSX.Element | null =>
  total === undefined ? null : (
    <p class={total < MAX_PACKS ? 'quiet-text tabular' : 'tabular'} role="status">
      {formatNumber(total)} of {MAX_PACKS}
      {total >= MAX_PACKS && '. Delete a pack to save another.'}
    </p>
  )

const SignedIn = (): JSX.Element => {
  const packs = useMyPacks()
  return (
    <>
      <header class="my-packs-head">
        <div>
          <h1 id="my-packs-title" tabIndex={-1}>
            My packs
          </h1>
          <Count total={packs.loaded.value?.total} />
        </div>
        <LinkButton tone="primary" icon="plus" href="/new">
          New pack
        </LinkButton>
      </header>
      <MyPackList packs={packs} />
    </>
  )
}

/** The reader's own packs of any visibility. */
export const MyPacksPage = (): JSX.Element => (
  <main id="main">
    {pageData().viewer === null ? (
      <>
        <h1>My packs</h1>
        <SignedOut />
      </>
    ) : (
      <SignedIn />
    )}
  </main>
)
