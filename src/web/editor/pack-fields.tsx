import type { JSX } from 'preact'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../contract/bounds.ts'
import { visibilityNames, visibilityWords } from './edit.ts'
import type { EditorModel } from './model.ts'

type Props = { readonly model: EditorModel }

/** Name, description, and who may see the pack. */
export function PackFields({ model }: Props): JSX.Element {
  const { store } = model
  const { visibility } = store.edit
  return (
    <div class="edit-fields">
      <TextField model={model} field="name" most={NAME_LENGTH} />
      <fieldset class="edit-field edit-visibility">
        <legend>Visibility</legend>
        <span class="edit-segments">
          {visibilityNames.map((name) => (
            <label key={name}>
              <input
                type="radio"
                class="sr-only"
                name="visibility"
                checked={visibility === name}
                onChange={() =>
                  store.change(`make the pack ${name}`, (edit) => ({ ...edit, visibility: name }))
                }
              />
              <span>{visibilityWords[name][0]}</span>
            </label>
          ))}
        </span>
        <span class="edit-visibility-note">{visibilityWords[visibility][1]}</span>
      </fieldset>
      <TextField model={model} field="description" most={DESCRIPTION_LENGTH} />
    </div>
  )
}

type TextProps = Props & { readonly field: 'name' | 'description'; readonly most: number }

function TextField({ model, field, most }: TextProps): JSX.Element {
  const { store, problems, hasTried } = model
  const id = `edit-${field}`
  const text = store.edit[field]
  const { length } = text.trim()
  const found = problems.value.at.get(id)
  // Nobody is told what is missing before one has tried to save.
  const problem = hasTried.value || !found?.isMissing ? found?.text : undefined
  const props = {
    id,
    dir: 'auto',
    value: text,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': `${id}-problem ${id}-count`,
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { value: string } }): void =>
      store.change(`change the ${field}`, (edit) => ({ ...edit, [field]: value }), field),
    onBlur: () => store.seal(),
  } as const
  return (
    <div class="edit-field">
      {field === 'name' ? (
        <label for={id}>Name</label>
      ) : (
        <label for={id}>
          Description <span class="quiet-text">(optional)</span>
        </label>
      )}
      <span id={`${id}-count`} class={`edit-counter${length > most ? ' edit-danger' : ''}`}>
        {length}/{most}
        <span class="sr-only"> characters</span>
      </span>
      {field === 'name' ? (
        <input {...props} class="field name-field" autocomplete="off" aria-required />
      ) : (
        <textarea {...props} class="field" rows={2} />
      )}
      <p id={`${id}-problem`} class="edit-problem" role="status">
        {problem}
      </p>
    </div>
  )
}
