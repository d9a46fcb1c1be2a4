import type { JSX } from 'preact'
import { rulesets, statsMods } from '../../contract/mods.ts'
import { formatRuleset } from '../format.ts'
import { ModChip } from '../parts/labels.tsx'
import { ChoiceFilter } from './choice-filter.tsx'
import type { Criteria, SpanName } from './criteria.ts'
import type { Found } from './find-packs.ts'
import { RangeFilter } from './range-filter.tsx'
import { scales } from './scales.ts'
import type { Change } from './use-criteria.ts'

const ranges: readonly { name: SpanName; label: string; note?: string }[] = [
  { name: 'stars', label: 'Stars', note: 'average' },
  { name: 'length', label: 'Length', note: 'every map' },
  { name: 'bpm', label: 'BPM', note: 'every map' },
  { name: 'beatmaps', label: 'Maps' },
]

type Props = {
  readonly criteria: Criteria
  readonly histograms: Found['histograms']
  readonly change: Change
}

/** All filters. */
export const FilterPanel = ({ criteria, histograms, change }: Props): JSX.Element => (
  <>
    {ranges.map(({ name, ...rest }) => (
      <RangeFilter
        key={name}
        {...rest}
        scale={scales[name]}
        span={criteria[name]}
        bars={histograms[name]}
        onChange={(span) => change({ [name]: span })}
      />
    ))}
    <ChoiceFilter
      label="Mods"
      note="all of these"
      all={statsMods}
      chosen={criteria.mods}
      show={(code) => <ModChip code={code} />}
      onChange={(mods) => change({ mods })}
    />
    <ChoiceFilter
      label="Rulesets"
      note="any of these"
      all={rulesets}
      chosen={criteria.rulesets}
      show={formatRuleset}
      onChange={(chosen) => change({ rulesets: chosen })}
    />
  </>
)
