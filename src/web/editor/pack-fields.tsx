import type { JSX } from 'preact'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../contract/bounds.ts'
import { visibilityNames, visibilityWords } from './edit.ts'
import type { EditorModel } from './model.ts'

/** Name, description, and who may see the pack. */
export function PackFields({ model }: { readonly model: EditorModel }): JSX.Element {
  const { store, problems, hasTried } = model
  const { edit } = store
  const atName = problems.value.at.get('edit-name')
  // Nobody is told what is missing before one has tried to save.
  const nameProblem = hasTried.value || !atName?.isMissing ? atName?.text : undefined
  const descriptionProblem = problems.value.at.get('edit-description')?.text
  return (
    <div class="edit-fields">
      <div class="edit-field">
        <label for="edit-name">Name</label>
        <Counter id="edit-name-count" length={edit.name.trim().length} most={NAME_LENGTH} />
        <input
          id="edit-name"
          class="field name-field"
          dir="auto"
          autocomplete="off"
          value={edit.name}
          aria-required
          aria-invalid={nameProblem === undefined ? undefined : true}
          aria-describedby={`edit-name-problem edit-name-count`}
          onInput={({ currentTarget: { value } }) =>
            store.change('change the name', (before) => ({ ...before, name: value }), 'name')
          }
          onBlur={() => store.seal()}
        />
        <Problem id="edit-name-problem" text={nameProblem} />
      </div>
      <fieldset class="edit-field edit-visibility">
        <legend>Visibility</legend>
        <span class="edit-segments">
          {visibilityNames.map((name) => (
            <label key={name}>
              <input
                type="radio"
                class="sr-only"
                name="visibility"
                checked={edit.visibility === name}
                onChange={() =>
                  store.change(`make the pack ${name}`, (before) => ({
                    ...before,
                    visibility: name,
                  }))
                }
              />
              <span>{visibilityWords[name][0]}</span>
            </label>
          ))}
        </span>
        <span class="edit-visibility-note">{visibilityWords[edit.visibility][1]}</span>
      </fieldset>
      <div class="edit-field">
        <label for="edit-description">
          Description <span class="quiet-text">(optional)</span>
        </label>
        <Counter
          id="edit-description-count"
          length={edit.description.trim().length}
          most={DESCRIPTION_LENGTH}
        />
        <textarea
          id="edit-description"
          class="field"
          dir="auto"
          rows={2}
          value={edit.description}
          aria-invalid={descriptionProblem === undefined ? undefined : true}
          aria-describedby="edit-description-problem edit-description-count"
          onInput={({ currentTarget: { value } }) =>
            store.change(
              'change the description',
              (before) => ({ ...before, description: value }),
              'description',
            )
          }
          onBlur={() => store.seal()}
        />
        <Problem id="edit-description-problem" text={descriptionProblem} />
      </div>
    </div>
  )
}

type ProblemProps = { readonly id: string; readonly text: string | undefined }

function Problem({ id, text }: ProblemProps): JSX.Element {
  return (
    <p id={id} class="edit-problem" role="status">
      {text}
    </p>
  )
}

type CounterProps = { readonly id: string; readonly length: number; readonly most: number }

function Counter({ id, length, most }: CounterProps): JSX.Element {
  return (
    <span id={id} class={`edit-counter${length > most ? ' edit-danger' : ''}`}>
      {length}/{most}
      <span class="sr-only"> characters</span>
    </span>
  )
}
