// What tournaments call what is not in their pool, in the languages of the game's larger communities: each word is here
// once, for lines, tables and data.

/** Words that are titles and names of difficulties as well. */
export const vagueWords = 'cut|dropped|old|out|inactive|obsolete'

/** What is said of a beatmap that is in the pool no more, or never was. */
const gone = [
  'not (?:used|in use|in (?:the )?(?:map ?)?pool|picked|active|approved|accepted|included)|no longer [\\p{L} ]{2,20}',
  "(?:do not|don[’']t) use|removed?(?! from (?:ranked|loved|osu))|banned|unused|deleted|discarded|scrapped|rejected|declined",
  'denied|vetoed|replaced|retired|disabled|excluded|omitted|withdrawn|cancell?ed|deprecated|outdated',
  'no (?:usad[oa]|se usa|incluid[oa])|(?:elimin|descart|retir|quit|rechaz|ban|vet|remov)(?:e?ad|id)[oa]s?|exclu[ií]d[oa]s?',
  'não usad[oa]|rejeitad[oa]s?|substitu[ií]d[oa]s?|non utilisée?s?|(?:retir|supprim|écart|rejet|refus)ée?s?|bannie?s?',
  'nicht (?:verwendet|benutzt|dabei)|(?:entfernt|gebannt|gestrichen|verworfen|abgelehnt|gelöscht)(?:e[nrs]?)?',
  'rimoss[oaie]|(?:elimin|scart|esclus|bann)at[oaie]|(?:usunię|odrzuco)[nt](?:[aey]|o)|dihapus|ditolak',
  'не используется|(?:удал[её]н|убран|забанен|исключ[её]н|отклон[её]н)(?:[аоы]|н(?:ые|ая|ый))?',
].join('|')
const goneSigns =
  '(?:已被?)?(?:删除|刪除|移除|弃用|棄用|禁用|淘汰|废弃|廢棄)|未使用|未采用|削除(?:済み)?|除外|不採用|没|삭제(?:됨)?|제외(?:됨)?|탈락|밴'

/** What is kept beside a pool, or may come to be in it. */
const spare = [
  'backups?|reserves?|substitutes?|spares?|candidates?|suggest(?:ions?|ed)|proposals?|proposed|ersatz|запас(?:н(?:ые|ой|ая))?',
  'reservas?|repuestos?|suplentes?|réserves?|remplaçante?s?|riserv[ae]|rezerw[ay]|sugerencias?|sugest(?:ões|ao|ão)|propuestas?',
  'propostas?|candidat[oa]s?|vorschläge|vorschlag|propositions?|предложения|кандидаты|cadangan',
].join('|')
const spareSigns = '候補|提案|予備|예비|제안|후보|추천|备选|備選|备用|備用|候选|候選|推荐|推薦'

/** What is said of whole lists besides. */
const earlier = [
  'ideas?|brainstorm(?:ing)?|previous|former|archived?|graveyard|alte|anciens?|старые|honou?rable mentions?|off-?cuts?',
].join('|')
const earlierSigns = '没曲|旧プール|旧图'

/** What is played before a match. */
const warmUps =
  'warm[- ]?ups?|calentamientos?|aquecimento|échauffements?|aufwärm(?:en|map|maps)|разминка|riscaldamento|rozgrzewka'
const warmUpSigns = 'ウォームアップ|워밍업|웜업|热身|熱身'

/** What beatmaps are called where they are listed, and what may stand in front of it. */
export const mapWord =
  '(?:(?:beat|kart)?maps?|picks?|songs?|(?:map ?)?pools?|mapas?|charts?|lieder|karten|карты|cartes|mappe)'

const words = (own: string, signs: string): string =>
  String.raw`(?:(?<![\p{L}\p{N}])(?:${own})(?!\p{L})|${signs})`

// Sources of patterns with the flags `iu`.

/** That a beatmap is out; `saidOut` also that it is kept beside the pool, `anyOut` also by the words that titles have. */
export const goneWord = words(gone, goneSigns)
export const saidOut = words(`${gone}|${spare}`, `${goneSigns}|${spareSigns}`)
export const anyOut = words(`${gone}|${spare}|${vagueWords}`, `${goneSigns}|${spareSigns}`)
/** That a list or a table is no pool. */
export const aside = words(
  `${gone}|${spare}|${earlier}|old`,
  `${goneSigns}|${spareSigns}|${earlierSigns}`,
)
const lists = words(
  `${gone}|${spare}|${earlier}|${warmUps}`,
  `${goneSigns}|${spareSigns}|${earlierSigns}|${warmUpSigns}`,
)
/** That what is below a line is not in the pool, and nothing else: `Rejected`, `Banned maps`, `Mapas descartados`. */
export const asideMaps = String.raw`(?:${mapWord} ${lists}|${lists} ?${mapWord}|(?:${vagueWords}|bans?) ${mapWord})`
export const asideLine = `(?:${lists}|${asideMaps})`
/** Marks in front of a beatmap or in a cell that say the same. */
export const outSigns = '❌✖✗✘🚫⛔🗑'
