import { type Static, Type } from 'typebox'
import { EXPORT_URL_LENGTH, REASON_LENGTH } from './bounds.ts'
import { Pack, PackInput } from './pack.ts'
import { Timestamp } from './primitives.ts'

/** Why a pack was hidden, in a moderator's words. */
export const Reason = Type.String({
  description: 'Why; white space around it is removed. Line breaks and other controls are refused.',
  minLength: 1,
  maxLength: REASON_LENGTH,
})

/** A pack as the site shows it to one viewer. `hiddenAt` is there for its owner and for moderators. */
export const SitePack = Type.Object(
  {
    ...Pack.properties,
    isMine: Type.Boolean({ description: 'The viewer owns it.' }),
    isPinned: Type.Boolean({ description: 'It stands in the pinned row (D-30).' }),
    hiddenReason: Type.Optional({
      ...Reason,
      description: 'Why it was hidden, when that was said; for its owner and for moderators.',
    }),
  },
  { additionalProperties: false, description: 'A pack as the site shows it to one viewer.' },
)
export type SitePack = Static<typeof SitePack>

/** Answer of the session endpoints that give one pack. */
export const SitePackReply = Type.Object(
  { pack: SitePack },
  { additionalProperties: false, description: 'One pack.' },
)
export type SitePackReply = Static<typeof SitePackReply>

/** Body of `PUT /session/packs/{slug}`. Other fields are ignored. */
export const PackEdit = Type.Object(
  {
    pack: PackInput,
    basedOn: {
      ...Timestamp,
      description: 'The `updatedAt` that the edit began from; with another one it is a conflict.',
    },
  },
  { description: 'A whole pack, and which state of it was edited.' },
)
export type PackEdit = Static<typeof PackEdit>

const magnetUrl = Type.String({
  description: 'A magnet link (D-43).',
  minLength: 1,
  maxLength: EXPORT_URL_LENGTH,
})

/** Body of `POST /session/packs/{slug}/magnets`. Other fields are ignored. */
export const MagnetInput = Type.Object(
  { url: magnetUrl, packKey: Pack.properties.packKey },
  { description: 'A magnet link, and the pack key that it was made for (D-43).' },
)
export type MagnetInput = Static<typeof MagnetInput>

/** Body of `DELETE /session/packs/{slug}/magnets`. Other fields are ignored. */
export const MagnetRemoval = Type.Object(
  { url: magnetUrl },
  { description: 'The recorded link, in any spelling of it.' },
)
export type MagnetRemoval = Static<typeof MagnetRemoval>
