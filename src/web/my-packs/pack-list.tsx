import * as texts from '#texts/my-packs'
import type { TargetedKeyboardEvent } from 'preact'
import { useCallback } from 'preact/hooks'
import type { Pack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { stepRows } from '../focus.ts'
import { formatDay } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText, VisibilityChip } from '../parts/labels.tsx'
import { PackFacts, PackListHead } from '../parts/pack-rows.tsx'
import { type MyPacks, rowId } from './model.ts'
import { entryOf } from './view.ts'

/** The packs of the view, which can be chosen one by one, in ranges, or all. */
export function PackList({ model }: { readonly model: MyPacks }) {
  const { shown, chosen, toggle, latest, remove } = model
  const slugs = new Set(chosen.map(({ slug }) => slug))
  return (
    <>
      <div class="my-packs-columns">
        <ChooseAll model={model} />
        <PackListHead class="my-pack" />
      </div>
      <ul
        role="list"
        aria-describedby="my-packs-keys"
        onKeyDown={(event) => {
          chooseByKey(event, model)
          stepRows('.row-name > a')(event)
        }}
      >
        {shown.packs.map((pack) => (
          <MyPackRow
            key={pack.slug}
            pack={latest(pack)}
            isChosen={slugs.has(pack.slug)}
            onToggle={(isChosen, isRange) => toggle(pack.slug, isChosen, isRange)}
            onDelete={() => remove([pack])}
          />
        ))}
      </ul>
      <p id="my-packs-keys" class="sr-only">
        {texts.keysMean}
      </p>
    </>
  )
}

function ChooseAll({ model: { shown, chosen, chooseAll } }: { readonly model: MyPacks }) {
  const isAll = chosen.length === shown.packs.length
  return (
    <label class="my-pack-choice my-packs-all">
      <input
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && chosen.length > 0
        }}
        onClick={() => chooseAll(!isAll)}
      />
      <span>{texts.selectAll({ n: shown.packs.length })}</span>
    </label>
  )
}

/** Moves between check boxes and chooses by keys, where the focus is in a row. */
function chooseByKey(event: TargetedKeyboardEvent<HTMLElement>, model: MyPacks): void {
  const { key, shiftKey, altKey } = event
  const hasCommand = event.ctrlKey || event.metaKey
  const row = (event.target as Element).closest('li')
  if (row === null || altKey) return
  if (hasCommand && key.toLowerCase() === 'a' && !shiftKey) model.chooseAll(true)
  else if (hasCommand) return
  else if (key === 'Escape' && model.chosen.length > 0) model.chooseAll(false)
  else if (key === 'Delete' && model.chosen.length > 0) model.remove(model.chosen)
  else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const box = (event.target as Element).matches('input')
    const next = key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling
    if (next === null || (!box && !shiftKey)) return
    const [from, to] = [row, next].map(({ id }) =>
      model.shown.packs.find(({ slug }) => rowId(slug) === id),
    )
    if (shiftKey && from && to) model.extend(from.slug, to.slug)
    next.querySelector<HTMLElement>(box ? 'input' : '.row-name > a')?.focus()
  } else return
  event.preventDefault()
}

type MyPackRowProps = {
  readonly pack: Pack
  readonly isChosen: boolean
  readonly onToggle: (isChosen: boolean, isRange: boolean) => void
  readonly onDelete: () => void
}

function MyPackRow({ pack, isChosen, onToggle, onDelete }: MyPackRowProps) {
  const { slug, name, visibility, description, hiddenAt } = pack
  const { siteUrl } = pageData()
  const path = `/p/${slug}`
  const title = [name, description].filter(Boolean).map(shownText).join('\n')
  return (
    <li id={rowId(slug)} class={`pack-row my-pack${isChosen ? ' chosen' : ''}`}>
      <label class="my-pack-choice">
        <input
          type="checkbox"
          aria-label={texts.selectPack({ name })}
          checked={isChosen}
          onClick={({ currentTarget, shiftKey }) => onToggle(currentTarget.checked, shiftKey)}
        />
      </label>
      <span class="row-name">
        <a href={path} dir="auto" title={title}>
          {shownText(name)}
        </a>
      </span>
      <PackFacts entry={entryOf(pack)}>
        <VisibilityChip visibility={visibility} isHidden={hiddenAt !== undefined} />
      </PackFacts>
      <span class="my-pack-actions">
        <LinkButton
          tone="quiet"
          icon="edit"
          aria-label={texts.editPack({ name })}
          href={`${path}/edit`}
        />
        <CopyButton
          tone="quiet"
          icon="link"
          name={texts.copyLinkTo({ name })}
          copied={texts.linkToCopied({ name })}
          text={siteUrl + path}
        />
        <Button
          tone="quiet"
          icon="trash"
          aria-label={texts.deletePack({ name })}
          onClick={onDelete}
        />
      </span>
      {hiddenAt !== undefined && <HiddenNote slug={slug} hiddenAt={hiddenAt} />}
    </li>
  )
}

/** Why others do not see a pack. The reason is not in the list: it is read from the pack. */
function HiddenNote({ slug, hiddenAt }: { slug: string; hiddenAt: string }) {
  const loadPack = useCallback((signal: AbortSignal) => call('getPack', { slug, signal }), [slug])
  const reason = useLoad(loadPack).value?.pack.hiddenReason
  const time = <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
  return (
    <p class="my-pack-hidden">
      <Icon name="hidden" />
      <span>
        {reason === undefined
          ? texts.hidden({ time })
          : texts.hiddenWithReason({ time, reason: <PersonText text={reason} /> })}
      </span>
    </p>
  )
}
