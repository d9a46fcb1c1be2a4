import * as texts from '#texts/owner'
import type { OwnerPage as Shown } from '../../contract/page-data.ts'
import type { TournamentSummary } from '../../contract/tournaments.ts'
import { FoundRows } from '../browse/found.tsx'
import { pageData } from '../page-data.ts'
import { ownerText, PersonText } from '../parts/labels.tsx'
import { PackListHead } from '../parts/pack-rows.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { factsOf } from '../tournaments/tournament-words.ts'
import '../style/browse.css'
import '../style/pack-list.css'
import '../style/owner-page.css'

/** An owner's public packs and tournaments. */
export function OwnerPage({ owner }: { owner: Shown }) {
  const { name, packs, page, pageCount, total, tournaments } = owner
  const found = packs.map((entry) => ({ entry, maps: [] }))
  return (
    <main id="main" class="owner-page">
      <PersonText within="h1" text={ownerText(name)} />
      {tournaments.length > 0 && (
        <section aria-labelledby="tournaments-title">
          <h2 id="tournaments-title">{texts.tournaments({ n: tournaments.length })}</h2>
          <ul class="owner-tournaments" role="list">
            {tournaments.map((tournament) => (
              <Tournament key={tournament.slug} tournament={tournament} />
            ))}
          </ul>
        </section>
      )}
      <section class="results" aria-labelledby="packs-title">
        <h2 id="packs-title">{texts.publicPacks({ n: total })}</h2>
        {packs.length > 0 ? (
          <>
            <PackListHead />
            <FoundRows packs={found} />
          </>
        ) : (
          total > 0 && (
            <PastTheEnd
              title={texts.pastTheEnd}
              text={texts.pastTheEndMeans}
              pageCount={pageCount}
            />
          )
        )}
        <Pager page={page} pageCount={pageCount} />
      </section>
    </main>
  )
}

const Tournament = ({ tournament }: { tournament: TournamentSummary }) => (
  <li>
    <PersonText href={`${pageData().poolsUrl}/t/${tournament.slug}`} text={tournament.name} />
    {factsOf(tournament).map((fact) => (
      <span key={fact}>{fact}</span>
    ))}
  </li>
)
