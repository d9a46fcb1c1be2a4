import * as texts from '#texts/tournaments'
import { useId, useRef, useState } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { type Format, mergesRounds } from '../../formats/format.ts'
import type { RoundPool, Sheet } from '../../formats/sheet.ts'
import { useAction } from '../action.ts'
import { now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { shownText } from '../parts/labels.tsx'
import { announce } from '../parts/toasts.tsx'
import type { Beatmaps, BeatmapView } from '../pool/beatmaps.ts'
import { fileStem } from '../../pool/text.ts'
import {
  detailsBySlot,
  DownloadList,
  NeedsScript,
  PictureLink,
  saveFile,
} from '../pool/downloads.tsx'
import { FileProblem, withFile } from '../pool/file-problem.ts'
import { poolOfRound, slotViews, usesOf } from '../pool/slots.ts'

/** A round that everybody may read, as a pool. */
export type OpenRound = ReturnType<typeof openRound>

export function openRound(round: Round) {
  const pool = poolOfRound(round)
  const { packSlug: slug } = round
  return { round, pool, uses: usesOf(pool).map((use) => ({ ...use, slug })) }
}

type RoundDownloadsProps = {
  readonly tournament: Tournament
  readonly rounds: readonly OpenRound[]
  readonly lookUp: Beatmaps['lookUp']
}

/** All rounds or one of them in every format. */
export function RoundDownloads({ tournament, rounds, lookUp }: RoundDownloadsProps) {
  const [chosen, setChosen] = useState('')
  const scopeId = useId()
  const written = rounds.filter(({ round }) => chosen === '' || round.id === chosen)
  const only = chosen === '' ? undefined : written[0]?.round.name
  const stem = fileStem(only === undefined ? tournament.name : `${tournament.name} ${only}`)
  // A picture is of one round.
  const shown = written.length === 1 ? written[0]?.round : undefined
  const isOpen = tournament.visibility === 'public' && tournament.hiddenAt === undefined

  /** Beatmaps of rounds that were not in view yet are looked up first. */
  const sheet = async ({ needs }: Format): Promise<Sheet> => {
    const views =
      needs === 'nothing' ? new Map() : await lookUp(written.flatMap(({ uses }) => uses))
    return {
      name: tournament.name,
      shortName: tournament.shortName,
      ruleset: tournament.ruleset,
      rounds: written.map((round) => poolOf(round, views)),
    }
  }

  return (
    <section class="side-card downloads" aria-labelledby="downloads-title">
      <h2 id="downloads-title">{texts.downloads}</h2>
      <NeedsScript />
      {rounds.length > 1 && (
        <p class="download-scope needs-script">
          <label class="sr-only" for={scopeId}>
            {texts.rounds}
          </label>
          <select
            id={scopeId}
            class="field"
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            <option value="">{texts.allRounds({ n: rounds.length })}</option>
            {rounds.map(({ round }) => (
              <option key={round.id} value={round.id}>
                {shownText(round.name)}
              </option>
            ))}
          </select>
        </p>
      )}
      <DownloadList
        kind="rounds"
        stem={stem}
        sheet={sheet}
        more={(format) => mergesRounds(format) && <Merge format={format} sheet={sheet} />}
      />
      {isOpen && shown !== undefined && (
        <PictureLink path={`/t/${tournament.slug}/${shown.id}/pool.png`} stem={stem} />
      )}
    </section>
  )
}

function poolOf({ round, pool }: OpenRound, views: ReadonlyMap<string, BeatmapView>): RoundPool {
  const details = detailsBySlot(pool, slotViews(pool, views))
  return { name: round.name, pool, details, bestOf: round.bestOf, bans: round.bans, saved: round }
}

type MergeProps = {
  readonly format: Format
  readonly sheet: (format: Format) => Promise<Sheet>
}

/** Puts the rounds into a file of the reader's, of which all else stays as it is. */
function Merge({ format, sheet }: MergeProps) {
  const { isBusy, error, run } = useAction()
  const field = useRef<HTMLInputElement>(null)
  const merge = (file: File): void =>
    run(async () => {
      const into = new Uint8Array(await file.arrayBuffer())
      const { content } = await withFile(async () =>
        format.write(await sheet(format), { savedAt: now(), into }),
      )
      saveFile(file.name, content)
      announce(texts.roundsAdded({ file: file.name }))
    })
  return (
    <>
      <Button
        tone="quiet"
        icon="plus"
        aria-label={texts.addToYourOwn({ format: format.label })}
        title={texts.addToYourOwnMeans}
        busy={isBusy}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) merge(file)
          currentTarget.value = ''
        }}
      />
      {error !== null && (
        <p class="failure-line merge-failure" role="alert">
          {error instanceof FileProblem
            ? texts.fileNotChanged({ reason: error.message })
            : texts.fileNotRead}
        </p>
      )}
    </>
  )
}
