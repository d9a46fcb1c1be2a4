// What rounds are usually called, in small letters and in the forms of NFKC, with one space between words.

/** What a pool is called behind the name of its round. */
export const poolWord = String.raw`(?:\s(?:maps?|(?:map ?)?pools?)|\s?(?:맵 ?풀|[图圖]池|(?:マップ|譜面)?プール))`

/** What a round is called where it is announced, `Round: Finals`, and in the names of columns. */
export const roundWords =
  'round rounds roundname stage stagename phase week matchday pool pack mappool ronda rodada runde tour тур раунд стадия этап ' +
  'ラウンド ステージ 라운드 스테이지 轮次 輪次 阶段 階段 fase étape etapa'

/** The greatest number in a usual name. */
export const LARGEST_ROUND = 256

const sizes = '(?:2|4|6|8|12|16|24|32|48|64|96|128|256)'
const one = '[0-9]{1,2}'
const side = String.raw`(?:winner|loser|upper|lower)s?(?: s)?`
const finals = String.raw`(?:(?:quarter|semi|grand)[ -]?)?finals?|semis|quarters|[qsg]f`

/** By language: qualifiers and groups; rounds by number and size; quarterfinals to grand finals; both brackets; the third place. */
const names: readonly (readonly string[])[] = [
  [
    '(?:pre[- ]?)?(?:qualifiers?|qualifications?|quals)|group stage|groups? [a-z0-9]{1,2}|swiss(?: stage)?|play[- ]?ins?|play[- ]?offs?|(?:knock[- ]?out|elimination|bracket) (?:stage|phase)',
    `(?:round of|last|top) ${sizes}|ro ?${sizes}|(?:swiss round|week|matchday|day) ${one}|(?:division|tier) (?:[a-z]|${one})|(?:first|second|third|fourth|fifth|${one}(?:st|nd|rd|th)?) round`,
    `(?:${side}(?: bracket)? )?(?:${finals}|(?:round|stage|phase) ${one})|1/(?:2|4|8|16|32)(?:th)?[ -]?finals?`,
    `${side} bracket|[wlu]b (?:${finals}|r(?:ound)? ?${one})`,
    '(?:third|3rd)[ -]place(?: (?:match|play[- ]?off|decider|final))?|bronze (?:medal )?(?:match|final)',
    '(?:[4-9]|10|18)k(?: (?:division|mania))?|osu!? ?(?:std|standard|taiko|catch|ctb|mania)',
  ],
  [
    '予選(?:ラウンド|リーグ|会)?|ク[オォ]リファイ(?:[アヤ]ー?ズ?)?|本[選戦]|グループ(?:ステージ|リーグ)|プレーオフ|プレイオフ',
    `ベスト ?[0-9]{1,3}|ラウンド ?(?:オブ ?)?[0-9]{1,3}|第? ?(?:${one}|[一二三四五六]) ?(?:回戦|ラウンド)`,
    '(?:準々?|最終)?決勝(?:戦)?|(?:グランド|ク[オォ]ーター|セミ)?・?ファイナルズ?',
    `(?:[勝敗]者(?:側|組)?|(?:ウィナー|ルーザー|アッパー|ロワー)ズ?)(?:サイド|ブラケット)?(?: ?(?:(?:準々?)?決勝(?:戦)?|(?:セミ)?ファイナル|第?${one}(?:回戦|ラウンド)|ラウンド ?${one}))?|敗者復活戦?`,
    '(?:三|3)位決定戦',
  ],
  [
    '(?:[0-9]차 ?)?예선(?:전)?|퀄리파이어|본선|결선|조별 ?(?:리그|예선)|플레이 ?오프',
    `[0-9]{1,3} ?강(?:전)?|${one} ?라운드|${one} ?주차`,
    '(?:준|준준|최종 ?|그랜드 ?)?결승(?:전)?|(?:그랜드|세미|쿼터)? ?파이널',
    `(?:승자|패자)(?:조|전)(?: ?(?:(?:준|최종 ?)?결승(?:전)?|${one} ?라운드|[0-9]{1,3}강))?|패자 ?부활전`,
    '(?:3[·, ]?4|3) ?위 ?(?:전|결정전)',
  ],
  [
    '海[选選](?:[赛賽])?|(?:资格|資格|预选|預選|小组|小組|分组|分組|淘汰|排位)[赛賽]?|(?:入围|入圍|附加|[初复複正])[赛賽]',
    `(?:[0-9]{1,3}|[四八]|十六|三十二|六十四) ?[强強][赛賽]?|第 ?(?:${one}|[一二三四五六七八九十]) ?[轮輪周週]|首[轮輪]`,
    '(?:[四八]分之一|十六分之一|1/(?:4|8|16) ?|半|準|准|总|總|大)?(?:决赛|決賽)|冠[军軍][赛賽]',
    `[败敗胜勝]者[组組](?: ?(?:[半總总]?(?:决赛|決賽)|第 ?(?:${one}|[一二三四五六]) ?[轮輪]))?`,
    '季[军軍][赛賽]|三四名(?:决赛|決賽)|(?:铜牌|銅牌)[赛賽]',
  ],
  [
    '(?:babak )?(?:penyisihan(?: grup)?|(?:pra)?kualifikasi)|(?:babak|fase) (?:grup|gugur|utama)',
    `(?:babak )?[0-9]{1,3} (?:besar|terbaik)|(?:babak|putaran|ronde) (?:ke-?)?${one}|babak (?:pertama|kedua|ketiga)`,
    '(?:babak )?(?:perempat ?final|(?:se)?perdelapan ?final|semi ?final|(?:grand )?final)',
    `(?:bracket|braket|bagan) (?:atas|bawah|pemenang|kalah)(?: (?:ronde|babak) ${one})?|final (?:bracket|braket) (?:atas|bawah)`,
    'perebutan (?:juara|tempat|peringkat|posisi) (?:3|ketiga|tiga)',
  ],
  [
    '(?:ön )?eleme(?:ler)?(?: turu)?|s[ıi]ralama turu|grup (?:aşamas[ıi]|etab[ıi]|maçlar[ıi])',
    `son (?:16|32|64)(?: turu)?|tur ${one}|${one} tur|(?:birinci|ikinci|üçüncü) tur`,
    '(?:çeyrek|yar[ıi]|büyük) ?final(?:ler)?|finaller',
    `(?:üst|alt|kazananlar|kaybedenler) (?:grup|grubu|tablo|tablosu|bracket|braket)(?: (?:${one} tur|(?:yar[ıi] )?final[iı]?))?`,
    'üçüncülük(?: maç[ıi])?',
  ],
  [
    'vòng (?:loại|sơ loại|bảng|đấu loại|play-?off)',
    `vòng (?:${one}|1/(?:8|16)|chung kết)`,
    '(?:tứ|bán|chung) kết(?: tổng)?',
    'nhánh (?:thắng|thua)(?: (?:vòng [0-9]|(?:bán|chung) kết))?|chung kết nhánh (?:thắng|thua)',
    'tranh hạng (?:3|ba)',
  ],
  [
    'รอบ(?:คัดเลือก|แบ่งกลุ่ม|น็อกเอาต์|เพลย์ออฟ)',
    `รอบ(?:${one} ?ทีม(?:สุดท้าย)?|ที่ ?${one})|รอบ (?:8|16|32|64)(?: ทีม(?:สุดท้าย)?)?`,
    '(?:รอบ)?(?:ก่อนรอง|รอง)?ชิงชนะเลิศ|รอบ(?:ก่อนรอง|รอง)ชนะเลิศ|แกรนด์ไฟนอล',
    'สาย(?:บน|ล่าง)(?: รอบที่ ?[0-9])?',
    'ชิงอันดับ ?(?:ที่ ?)?(?:3|สาม)|ชิงที่ ?(?:3|สาม)',
  ],
  [
    '(?:دور|مرحلة) المجموعات|التصفيات(?: التأهيلية)?|الأدوار الإقصائية',
    `دور ال(?:ـ)? ?${one}|دور الستة عشر|دور الثمانية|الجولة (?:${one}|الأولى|الثانية|الثالثة)`,
    '(?:(?:ثمن|ربع|نصف) )?(?:ال)?نهائي(?:ات)?(?: الكبير)?',
    '(?:فرع|مجموعة|مسار) (?:الفائزين|الخاسرين)',
    '(?:مباراة |تحديد )?المركز الثالث',
  ],
  [
    'квалификаци[яи]|отбор|отборочные|(?:отборочный|групповой) этап|плей[- ]?офф|кваліфікаці[яї]|відбір|груповий етап',
    `(?:раунд|тур) ${one}|${one}(?:[ -]?[йи])? (?:раунд|тур)|(?:первый|второй|третий|перший|другий|третій) (?:раунд|тур)`,
    '(?:четверть|полу|супер|гранд[- ]?)?финалы?|1/(?:[248]|16) финала|(?:чверть|пів|супер|гранд[- ]?)?фінали?|1/(?:[248]|16) фіналу',
    `(?:верхняя|нижняя|верхня|нижня) сетка|(?:верхня|нижня) сітка|сетка (?:победителей|проигравших)(?: раунд ${one})?|финал (?:верхней|нижней) сетки`,
    '(?:матч )?за (?:3|третье|третє)(?:[ -]?[еє])? (?:место|місце)',
  ],
  [
    'quali|qualifikation|vorrunde|gruppenphase|endrunde|k[.]?o[.]?[ -]?(?:runde|phase)',
    `(?:haupt)?runde ${one}|${one} (?:haupt|gewinner|verlierer)?runde|(?:erste|zweite|dritte) runde|letzte (?:16|32)`,
    '(?:viertel|halb|achtel|sechzehntel|großes |grosses |kleines )?finale',
    `(?:gewinner|verlierer|sieger)(?:runde|gruppe|bracket)(?: ${one})?`,
    'spiel um platz (?:3|drei)',
  ],
  [
    'qualifs|qualificatifs|phase (?:de (?:groupes|poules)|qualificative|finale|éliminatoire)|poules',
    `tour ${one}|(?:premier|deuxi[èe]me|second|troisi[èe]me|${one}(?:er|nd|e|[èe]me)) tour`,
    `(?:demi[- ]?|quarts? de |(?:huiti|seizi)[èe]mes? de |${one} ?(?:e|[èe]mes?) de |(?:grande|petite) )?finales?|grandes finales`,
    'tableau (?:(?:des )?(?:perdants|gagnants)|principal|inférieur|supérieur)',
    '(?:match pour la )?(?:troisi[èe]me|3(?:e|[èe]me)) place',
  ],
  [
    'fase de (?:grupos|llaves)|clasificatorias?|clasificaci[óo]n|classificat[óo]rias?|qualificat[óo]rias?|qualificaç(?:ão|ões)|eliminat[óo]rias?|mata-mata',
    `(?:rodada|ronda|jornada) ${one}|(?:primeir|segund|terceir|primer|tercer)a (?:fase|rodada|ronda)|${one}(?:a|ra|da|era) (?:fase|rodada|ronda)`,
    '(?:semi|(?:quart[ao]s?|oitav[ao]s|cuartos|octavos|dieciseisavos|16 ?avos|8 ?vos|4 ?tos) de |gran(?:de)? |meias?[- ])?fina(?:l|is|les)|grandes fina(?:is|les)|oitavas|quartas|octavos|cuartos',
    '(?:bracket|llaves?|chave|cuadro) (?:(?:de |de los |dos )?(?:ganadores|perdedores|vencedores)|superior|inferior)',
    '(?:(?:partido|disputa|jogo) (?:por el|do|de|pelo) )?(?:terceiro|tercer|3(?:o|er)) (?:lugar|puesto)',
  ],
  [
    'fase a (?:gironi|eliminazione)|gironi|qualificazioni|qualifiche|eliminatorie',
    `turno ${one}|${one}o turno|(?:primo|secondo|terzo) turno`,
    '(?:ottavi|quarti|sedicesimi)(?: di finale)?|semifinal[ei]|finali|gran finale',
    'tabellone (?:vincenti|perdenti|principale)',
    '(?:finale )?(?:terzo|3o) posto',
  ],
  [
    'faza (?:grupowa|pucharowa)|kwalifikacje|eliminacje|baraże',
    `runda ${one}|${one} runda|(?:pierwsza|druga|trzecia) runda`,
    '(?:ćwierć|pół|wielki )?finał[y]?|1/(?:[248]|16) finału',
    'drabinka (?:wygranych|przegranych)',
    '(?:mecz )?o (?:3|trzecie) miejsce',
  ],
]

export const usualName = new RegExp(
  `^(?:(?:map[ -]?)?pool )?(?:${names.flat().join('|')})${poolWord}?$`,
  'u',
)

/** What a usual name can begin with; most lines are none, which is quickly found. */
export const usualStart =
  /^[^\p{L}\p{N}]*(?:a[cl]|b[air]|c[hlu]|d[aeir]|e[lnr]|f[aio]|g[efir]|h[au]|ik|jo|k[.alnouw]|l[abelo]|m[ae]|nh|o[ cist]|p[aehiloru]|q[fu]|r[ou]|s[efioptw]|t[aehioru]|u[bp]|v[eio]|w[bei]|ya|zw|[bcgopstuv][^\0-\x7f]|[^a-z])/iu
