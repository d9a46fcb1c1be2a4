import { tidy } from '../words/labels.ts'
import { saidOut } from '../words/pool-words.ts'
import { roundWords } from '../words/rounds.ts'

/** What a column holds of a pool; `other`: nothing that is read. */
export type Role = 'slot' | 'mod' | 'index' | 'beatmap' | 'vague' | 'round' | 'division' | 'other'

/** What a column is about, whose cells name no slot, beatmap or round; `detail`: of a beatmap. */
export type Topic =
  | 'detail'
  | 'person'
  | 'team'
  | 'match'
  | 'score'
  | 'staff'
  | 'statistic'
  | 'suggestion'

/** What each column holds, as the header names it; undefined where it does not. */
export type Columns = readonly (Role | undefined)[]

/** What the cells of the columns of a table have in common, whatever a header calls them. */
export type ColumnFacts = {
  /** Columns whose numbers are too large for beatmaps, count the rows, or are the same in most of them. */
  readonly counters: ReadonlySet<number>
  /** Columns whose numbers count the rows from 0 or 1. */
  readonly ordinals: ReadonlySet<number>
  /** The column of the slots; -1 where none has them. */
  readonly slot: number
  /** The column of nothing but codes of buckets; -1 where none has them. */
  readonly coded: number
  /** Columns of numbers alone, or nearly. */
  readonly numbered: ReadonlySet<number>
  /** The column of the numbers of slots, beside that of their buckets; -1 where none has them. */
  readonly index: number
  /** The column in front of the slots that has names of rounds and nothing else; -1 where none has them. */
  readonly round: number
  /** Columns whose cells begin with the id of a beatmap, and go on with its name. */
  readonly titled: ReadonlySet<number>
}

/** The columns of a table without a header. */
export const noColumns: Columns = []

const roleNames: Readonly<Record<Exclude<Role, 'other'>, string>> = {
  /** The label, or a part of it. */
  slot:
    'slot slots pick picks mapslot modslot slotname mapno mapnumber identifier スロット ピック 슬롯 선곡 слот пик ' +
    'platz 位置 槽位 图位 圖位 posición puesto emplacement',
  mod: 'mod mods bucket code category modpool modbucket モッド モード枠 모드 мод моды 模组 模組 modifier modifiers',
  index: 'index slotindex slotnumber modindex modnumber',
  beatmap:
    'ビートマップid 譜面id 谱面id 譜面url 谱面链接 비트맵id 맵id 맵링크 비트맵링크 idbeatmap idmap idmapa idmapy iddobeatmap ' +
    'iddelbeatmap iddumap iddelmapa iddomapa iddellamappa idкарты idкарта айдикарты номеркарты ссылканакарту lien enlace ссылка リンク 링크 链接 連結 beatmapid beatmapids ' +
    'mapid mapids idpeta petaid tautan linkpeta tautanpeta kartenid haritaidsi idแมพ แมพid idbảnđồ mãmap mãbảnđồ kaartid karttaid kartid bid difficultyid diffid link links url beatmaplink beatmaplinks maplink maplinks beatmapurl mapurl osulink',
  /** Sheets head titles with these as often as ids. */
  vague:
    '曲id 楽曲id 歌曲id 곡id id ids beatmap beatmaps map maps ビートマップ 譜面 谱面 비트맵 карта karte carte mapa',
  /** Of a tournament, where a sheet has the pools of several. */
  round: roundWords,
  /** A part of the tournament that has pools of its own in each round. */
  division:
    'division div divisions tier bracket league region división divisão дивизион 部門 ディビジョン 디비전 组别 組別 级别 級別',
}
const ignored = 'comment comments note notes remark remarks description replay'

const topicNames: Readonly<Record<Topic, string>> = {
  detail:
    'artist title song songname songtitle metadata version difficulty difficultyname diff diffname mapper mappers creator host ' +
    'star stars starrating starratings sr length time duration drain draintime bpm cs ar od hp combo maxcombo set setid beatmapset ' +
    'beatmapsetid mapset mapsetid sid sids setlink seturl mapseturl beatmapseturl setnumber idset md5 beatmapmd5 hash checksum style skillset type skill niche gimmick artista título titulo titre título canción cancion chanson ' +
    'лид исполнитель название песня маппер сложность звёзды звезды длина künstler titel lied länge schwierigkeit アーティスト ' +
    'タイトル 曲名 曲 作者 マッパー 難易度 星 長さ 아티스트 제목 곡명 곡 매퍼 난이도 별 길이 曲师 歌曲 标题 標題 谱师 譜師 难度 ' +
    '星数 长度 長度 dauer durée duración duração dificultad dificuldade difficulté mappeur mapeador',
  person:
    'username user userid userno users userlink player playerid playerlink playername players osuusername osuname osuid osuuserid ' +
    'osuprofile ign nick nickname discord discordid discordtag discordname discordusername participant participants captain vicecaptain ' +
    'profile profileid profilelink profileurl country countrycode flag nationality timezone email emailaddress mail badges rank globalrank countryrank ' +
    'rankrange bws pp prize jugador jugadores usuario idusuario idjugador joueur joueurs pseudo spieler spielername benutzername ' +
    'benutzerid игрок игроки ник никнейм idигрока プレイヤー プレイヤー名 プレイヤーid ユーザー ユーザー名 ユーザーid 選手 選手名 ' +
    '参加者 国 国籍 유저 유저명 유저id 플레이어 선수 선수명 닉네임 국가 选手 玩家 玩家名 玩家id 选手id 用户名 用户id 用戶名 ' +
    'jogador jogadores usuário gracz gracze giocatore giocatori utente země país pays land страна',
  team:
    'team teams teamname teamid teamno acronym member members roster equipo equipos équipe équipes equipe equipes команда команды ' +
    'チーム チーム名 メンバー 팀 팀명 팀원 队伍 隊伍 战队 戰隊 队名 隊名 队员 隊員 mannschaft squadra drużyna время команды',
  match:
    'match matchid matchno matchnumber matches matchlink lobby lobbyid lobbies room mp mplink mpid mplinks multilink opponent ' +
    'opponents teama teamb teamred teamblue redteam blueteam red blue winner loser referee ref streamer commentator commentators caster ' +
    'date day datetime timeutc utc utctime schedule vod ban bans protect protects partido partida árbitro arbitro fecha hora begegnung ' +
    'datum uhrzeit schiedsrichter матч дата судья рефери 試合 日時 日付 審判 レフェリー 경기 경기번호 날짜 일시 심판 比赛 比賽 ' +
    '场次 場次 日期 裁判 heure arbitre',
  score:
    'score scores scoreid totalscore avgscore averagescore moddedscore acc accuracy zscore zsum misses misscount grade place placement ' +
    'seed seeds seeding points puntuación puntuacion puntos punkte ergebnis очки счёт счет посев スコア 得点 シード 점수 시드 分数 ' +
    '分數 得分 种子 種子 wynik pontos pontuação passed',
  staff:
    'position positions role roles job staff department puesto cargo rol rôle роль должность 役職 役割 역할 직책 职位 職位 职务',
  statistic:
    'average averages avg mean median total totals sum pickrate banrate winrate pickcount bancount timespicked timesbanned playcount count',
  suggestion:
    'suggestedby suggester suggestedmap suggestion suggestions submittedby submitter proposedby proposer proposal by addedby vote votes ' +
    'voted upvotes downvotes sugeridopor propuestopor proposépar vorschlag vorschlagvon предложил голоса 提案者 ' +
    '推薦者 投票 제안자 추천인 투표 推荐人 推薦人 提名 timestamp zeitstempel marcatemporal horodatage carimbodedatahora ' +
    'отметкавремени タイムスタンプ 타임스탬프 时间戳 why reason reasons reasoning begründung warum porqué pourquoi почему причина 理由 이유',
}

type Name = { readonly role: Role; readonly topic?: Topic }

const names = new Map<string, Name>()
const add = (words: string, name: Name): void => {
  for (const word of words.split(' ')) if (!names.has(word)) names.set(word, name)
}
for (const [role, words] of Object.entries(roleNames)) add(words, { role: role as Role })
for (const [topic, words] of Object.entries(topicNames)) {
  add(words, { role: 'other', topic: topic as Topic })
}
add(ignored, { role: 'other' })

/** Words that change nothing of what a column holds. */
const fillers = new Set(
  'the of a new current final osu our main click here total your what is which'.split(' '),
)
/** What a column with them holds has been replaced, or is not in the pool. */
const replacedWords = `${saidOut}|(?<!\\p{L})(?:previous|prev|older|old|former|original|alternat(?:ive|e)|alt|antiguo|anterior|ancien|alt(?:e|er|es)|старый|прежний)(?!\\p{L})|旧的|旧|以前|이전`
const replaced = new RegExp(`^(?:${replacedWords})$`, 'u')
export const replacedIn = new RegExp(replacedWords, 'u')
/** Longer cells are no names of columns. */
const [LONGEST_NAME, MOST_WORDS] = [40, 6]

/** So many short cells are kept at a time: those of other lengths are parts of the whole text, and would keep it. */
const [MOST_KEPT, LONGEST_KEPT] = [2000, 12]
const kept = new Map<string, Name | null>()

function nameOf(cell: string): Name | null {
  if (cell === '' || cell.length > LONGEST_NAME || /^[0-9]/.test(cell)) return null
  if (cell.length > LONGEST_KEPT) return nameIn(cell)
  const before = kept.get(cell)
  if (before !== undefined) return before
  const name = nameIn(cell)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(cell, name)
  return name
}

/** All that names, and what changes nothing of them, can begin with. */
const beginnings = new Set(
  [...names.keys(), ...fillers].flatMap((name) =>
    Array.from(name, (_, at) => name.slice(0, at + 1)),
  ),
)
const firstWord = /[\p{L}\p{N}]+/u

/** Whether a text can be the name of a column by its first word: most cells cannot. */
function mayBeName(text: string): boolean {
  const [first] = firstWord.exec(text) ?? []
  if (first === undefined) return false
  return beginnings.has(first.replace(/[0-9]+$/, '')) || text.includes('(') || replacedIn.test(text)
}

/** What hosts of other games say for a beatmap: `ID da Música`, `Song ID`. */
const idOfSong =
  /^(?:(?:songs?|lieder|lied|piosenki|песни|трека|lagu)ids?|ids?(?:of(?:the)?|d[aeo]l?|dela|della|der|des)?(?:songs?|m[uú]sica|musique|canci[oó]n|canzone|chanson|lied(?:e?s)?|piosenki|utworu|песни|трека|lagu))$/u

function nameIn(cell: string): Name | null {
  const text = tidy(cell).toLowerCase()
  if (holdsSets(text)) return { role: 'other', topic: 'detail' }
  if (!mayBeName(text)) return null
  const words = text.match(/[\p{L}\p{N}]+/gu)
  if (words === null || words.length > MOST_WORDS) return null
  const whole = names.get(words.join(''))
  // `Map #`
  if (whole?.role === 'vague' && /[#№]\s*$/.test(text)) return { role: 'other' }
  if (whole !== undefined) return whole
  if (idOfSong.test(words.join(''))) return { role: 'vague' }
  if (words.length === 1 && !/[0-9]/.test(words[0])) return null
  const own = text.replaceAll(/\([^()]*\)/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? words
  if (words.length > 1 && words.some((word) => replaced.test(word))) return { role: 'other' }
  const rest = own.filter((word) => !fillers.has(word))
  const found = names.get(rest.join(''))
  if (found !== undefined) return found
  // `Player 2`, `Ban 1`, `Team A ID`
  const [first = ''] = rest
  const numbered = names.get(first.replace(/[0-9]+$/, ''))
  const isNumbered = rest
    .slice(1)
    .every((word) => /^(?:[0-9]{1,2}|[a-d]|red|blue|ids?|names?|links?|tags?|s|ign)$/.test(word))
  return numbered?.topic !== undefined && isNumbered ? numbered : null
}

export function roleOf(cell: string): Role | undefined {
  return nameOf(cell)?.role
}

export function topicOf(cell: string): Topic | undefined {
  return nameOf(cell)?.topic
}

/** `ID`, which is that of a beatmap where a column of slots is beside it. */
export const isId = (title = ''): boolean => /^ids?$/i.test(tidy(title))

const ofNumbers =
  /^(?:#|n[oº°r]\.?|num(?:ber)?|n[uú]mero|numéro|nummer|номер|番号|번호|编号|編號|序号)$/iu

/** Whether a column of this name has numbers of slots, or of rows. */
export const isOfNumbers = (title: string): boolean => ofNumbers.test(tidy(title))

const counting =
  /(?<!\p{L})(?:n[oº°r]|num(?:ber)?s?|n[uú]m(?:ero)?|numéro|nummer|номер|pos(?:ition|ición|ição|izione)?|idx|index|order|orden|ordem|ordre|reihenfolge|порядок|slot|seq(?:uence)?)(?!\p{L})|[#№]|番号|順|번호|순서|编号|編號|序号|顺序|位置/iu

/** Whether a name of a column has a word for numbers or places in it: `Map #`, `Position`. */
export const namesNumbers = (title: string): boolean => counting.test(tidy(title))

/** Whether a cell says yes or no, which is no name of a round: below `Pool?` */
export const isAnswer = (cell: string): boolean =>
  /^\s*(?:yes|no|true|false|[✓✔✅☑✗✘❌✖]\ufe0f?)\s*$/iu.test(cell)

/** What is in the names of columns whose values are rounds, and in such values. */
export const ofRounds =
  /(?<!\p{L})(?:rounds?|stages?|phases?|weeks?|match ?days?|days?|sessions?|groups?|seasons?|editions?|legs?|pools?|map ?pools?|brackets?|leagues?|divisions?|tiers?|sesi[oó]n|sessão|temporada|edici[oó]n|edição|d[ií]a|grup[oa]|groupes?|saison|jour|gruppe|spieltag|сезон|день|группа|тур)(?!\p{L})|セッション|グループ|シーズン|赛季|小组|그룹|시즌/iu

/** What is in the names of columns that say by a yes that a row is not in the pool. */
export const outName = new RegExp(`${saidOut}|(?<!\\p{L})(?:dropped|inactive)(?!\\p{L})`, 'iu')
/** The same of those that say so by a no. */
export const inName =
  /(?<!\p{L})(?:active|enabled|(?:map ?)?pool\s*[?？]|in ?(?:the ?)?(?:map ?)?pool|included?|used|in use|approved|accepted|kept|keep|valid|available|verfügbar|disponible|activ[oa]|aktiv|actif)(?!\p{L})|有効|採用|활성|启用|啟用|采用/iu
/** What a set of beatmaps is called, and what is of it in a column. */
const setWord =
  /(?<!\p{L})(?:(?:kart|map|beatmap)?[ -]?sets?|(?:map)?setu|seti|collections?|conjuntos?|colecci[oó]n|cole[cç][aã]o|ensemble|insieme|raccolta|sammlung|zestawu?|набора?|набору|(?:мап)?сета?)(?!\p{L})|[面谱譜图圖曲合]集|[图圖曲]包|セット|コレクション|세트|셋|컬렉션/u
const idWord =
  /(?<![a-z])(?:s?ids?|links?|urls?|no|nr|numbers?|n[uú]mero|lien|enlace)(?![a-z])|ссылка|номер|リンク|番号|링크|번호|链接|連結|编号|編號/u
/** `beatmap id in set` */
const idOfMap = /(?:map|diff|difficulty)[\s_-]*ids?(?![a-z])|(?<!\p{L})not(?!\p{L})/u
const ofSets =
  /^(?:osu)?(?:(?:beat)?(?:map)?sets?(?:s?ids?|links?|urls?|no|numbers?)?|sids?|id(?:beat)?(?:map)?sets?|(?:비트)?맵(?:셋|세트)|(?:譜面|ビートマップ)セット|[谱譜]面集|наборкарт|(?:jeu|set)de(?:beat)?maps)$/

/** Whether a column or a field of this name holds the ids or links of sets, none of which is a beatmap's (D-77). */
export function holdsSets(name: string): boolean {
  const text = name.toLowerCase().replaceAll('_', ' ')
  if (ofSets.test(text.replaceAll(/[^\p{L}\p{N}]/gu, ''))) return true
  return setWord.test(text) && idWord.test(text) && !idOfMap.test(text)
}

/** Whether a header names the columns of slots and beatmaps. */
export function isComplete(columns: Columns): boolean {
  const isSlotNamed = columns.includes('slot') || columns.includes('mod')
  return isSlotNamed && (columns.includes('beatmap') || columns.includes('vague'))
}

/** Whether a header says that a column holds ids of beatmaps; what is called `ID`, where a column of slots is beside it. */
export function holdsIds(column: number, columns: Columns, titles: readonly string[]): boolean {
  const role = columns[column]
  return role === 'beatmap' || (role === 'vague' && isComplete(columns) && isId(titles[column]))
}

/** Whether a column of this name holds beatmaps, and no numbers of something else. */
export function namesBeatmaps(columns: Columns, titles: readonly string[]): boolean {
  return (
    columns.includes('beatmap') ||
    titles.some((title) => topicOf(title) === 'detail') ||
    columns.some((role, at) => role === 'vague' && !isId(titles[at]))
  )
}

/** What the name of a column has in it that is about beatmaps, in other words than those that are known. */
const likeBeatmaps =
  /(?<!\p{L})(?:beatmaps?|maps?|mapas?|mapy|mappa|harita|carte|karte|diffs?|difficult(?:y|ies)|dificultad|dificuldade|difficulté)(?!\p{L})|[谱譜]面|[图圖][谱譜]|地[图圖]|マップ|맵|난이도|难度|難度|карт|сложност/iu
/** Ids of nothing else: `ID (osu)`. */
const idAlone =
  /^(?:(?:b?ids?|links?|urls?|osu|standard|std|mania|taiko|catch|fruits|the|of|new|current|final|direct|[0-9]{1,2}k?)(?!\p{L})[^\p{L}\p{N}]*)+$/iu
/** What it has in it that counts or names something else of them. */
const likeOthers =
  /(?<!\p{L})(?:views?|plays?|size|bytes|offset|hits?|by|users?|players?|teams?|mappers?|topics?|threads?|posts?|videos?|files?|scores?|points?|times?|length|lobby|match|matches|sets?|mapsets?|ms|kb|mb|u?ids? of)(?!\p{L})/iu

/** Whether a name of a column says that its numbers are of something else than beatmaps. */
export function namesOther(name: string): boolean {
  if (!/\p{L}/u.test(name)) return false
  const role = roleOf(name)
  if (role === 'beatmap' || role === 'vague') return false
  if (likeOthers.test(name)) return true
  if (!likeBeatmaps.test(name)) return !idAlone.test(name)
  // `bộ beatmap` may be those of sets.
  const rest = name.replaceAll(ofBeatmaps, ' ').match(/\p{L}[\p{L}\p{M}]+|[^\0-\u02ff]/gu) ?? []
  return rest.some((word) => !isPlainWord(word))
}
const ofBeatmaps = new RegExp(`${likeBeatmaps.source}|${idWord.source}|ビート|비트|osu!?`, 'giu')

/** Whether numbers of a column may be ids of beatmaps, where it is not named for them: they are of nobody and of no set. */
export const mayHoldIds = (name: string): boolean =>
  name === '' || !(likeOthers.test(name) || holdsSets(name) || /mapper|host|creator/i.test(name))

const plainWords =
  /^(?:or|and|for|to|in|on|at|is|an|with|code|pool|mappool|pools|tournament|only|version|official|please|copy|paste|here|your|this|which|must|be|map|del?|de|do|da|du|des|der|die|das|dla|la|le|el|los|las|les|und|oder|para|por|ou|et|von|vom|di|mod|mods|nm|hd|hr|dt|fm|tb|auto|no|nr|number|website|page|site|web|url|official|main|submitted|selected|chosen|osuid|bid)$/iu

const isPlainWord = (word: string): boolean =>
  likeBeatmaps.test(word) ||
  idAlone.test(word) ||
  plainWords.test(word) ||
  idWord.test(word.toLowerCase()) ||
  roleOf(word) !== undefined
