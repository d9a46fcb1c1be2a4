import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../contract/bounds.ts'
import { visibilityNames, visibilityWords } from './edit.ts'
import type { ModelProps } from './model.ts'

export function PackFields({ model }: ModelProps) {
  const { store } = model
  const { visibility } = store.edit
  return (
    <div class="edit-fields">
      <TextField model={model} field="name" />
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
      <TextField model={model} field="description" />
    </div>
  )
}

function TextField({ model, field }: ModelProps & { field: 'name' | 'description' }) {
  const { store, shownProblems } = model
  const isName = field === 'name'
  const id = `edit-${field}`
  const most = isName ? NAME_LENGTH : DESCRIPTION_LENGTH
  const text = store.edit[field]
  const { length } = text.trim()
  const problem = shownProblems.value.findLast((each) => each.id === id)?.text
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
      <label for={id}>
        {isName ? 'Name' : 'Description '}
        {!isName && <span class="quiet-text">(optional)</span>}
      </label>
      <span id={`${id}-count`} class={`edit-counter${length > most ? ' edit-danger' : ''}`}>
        {length}/{most}
        <span class="sr-only"> characters</span>
      </span>
      {isName ? (
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
