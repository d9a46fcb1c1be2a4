import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isRoundName,
  roundOfCell,
  roundOfHeading,
  roundsOfPost,
} from '../../src/formats/import/lines/round-names.ts'
import { BucketCodes } from '../../src/formats/import/words/labels.ts'
import { usualName, usualStart } from '../../src/formats/import/words/rounds.ts'
import { emptyDraft, readRoundsPaste } from './pasted-text.ts'

const codes = new BucketCodes(emptyDraft)

/** What stands between the bars of a group, up to its end. */
function alternatives(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [sign] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (sign === ')' && depth === 0) return parts
    depth += Number(sign === '(') - Number(sign === ')')
    if (sign === '|' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${sign}`)
  }
  return parts
}

describe('the usual name of a round', () => {
  it('begins as one that is looked at, in each language', () => {
    for (const name of alternatives(
      usualName.source.slice(usualName.source.indexOf(')?pool )?(?:') + 12),
    )) {
      const text = fc.stringMatching(new RegExp(`^(?:${name})$`, 'u'))
      // Drawn the same each time.
      const texts = fc.sample(text, { numRuns: 16, seed: 1 })
      expect(texts.filter((each) => !usualStart.test(each))).toEqual([])
    }
  })

  it.each([
    'Qualifiers|Qualification|Quals|Group Stage|Group A|Groups 1|Swiss|Swiss Stage|Swiss Round 2',
    'Play-ins|Playin|Play-offs|Play offs|Round of 64|RO16|Ro 32|Quarterfinals|Semi-final',
    'Grand Finals|Finals|QF|sf|gf|Stage 1|Round 2|Phase 3|Week 12|Matchday 4|Day 1|Division 2|Tier 2',
    'Winners Bracket Round 2|Upper Bracket Finals|Losers Round 4|Lower Finals',
    '予選|本選|準決勝|ベスト16|グループステージ|第2回戦|二回戦|예선|본선|준결승|16강|決賽|半决赛|小组赛|8强|八强|十六強',
    'quarti di finale|semifinali|gironi|ćwierćfinał|wielki finał|faza grupowa|perempat final|babak grup',
    'semifinal|octavos de final|fase de grupos|demi-finale|8e de finale|phase de poules|qualifs',
    '1/4 финала|полуфинал|гранд-финал|квалификация|viertelfinale|gruppenphase|qualifikation',
    'التصفيات|دور المجموعات|دور الـ16|دور ال32|ثمن النهائي|ربع النهائي|نصف النهائي|النهائي|النهائي الكبير|الجولة 2',
    'รอบคัดเลือก|รอบแบ่งกลุ่ม|รอบ 16 ทีม|รอบก่อนรองชนะเลิศ|รอบรองชนะเลิศ|รอบชิงชนะเลิศ|รอบที่ 1|แกรนด์ไฟนอล',
    'Vòng loại|Vòng bảng|Vòng 16|Vòng 2|Tứ kết|Bán kết|Chung kết|Chung kết tổng',
    'Elemeler|Ön Eleme|Sıralama Turu|Grup Aşaması|Son 16|Çeyrek Final|Yarı Final|Büyük Final|Tur 1',
    'Runda 1|Oitavas|Quartas de final|Meias-finais|Grandes Finais|Qualificação|Eliminatórias|Rodada 2',
    'Qualifiche|Ottavi|Finali|Gran finale|Turno 1|Octavos|Grandes finales|Ronda 1|Semis',
    'Отборочный этап|1/16 финала|Полуфиналы|Гранд-финалы|Плей-офф|Раунд 1|第一轮|16强赛|四分之一決賽|準決賽|第1輪',
    'セミファイナル|三位決定戦|ラウンド16|Penyisihan Grup|Babak 16 Besar|그랜드 파이널|승자조 결승|4강전|1라운드',
    'Vorrunde|Runde 1|Großes Finale|Seizièmes de finale|Petite finale|Tour 1',
    'Pre-Qualifiers|Knockout Stage|Last 16|1st Round|Winners’ Bracket|Loser’s Bracket|LB Final|3rd place',
    '16 Besar|8 Besar|Prakualifikasi|Ronde 2|Babak 1|Bracket Bawah|Perebutan Juara 3',
    '1. Tur|2. Tur|Birinci Tur|Alt Tablo Finali|Kaybedenler Grubu|Üçüncülük Maçı',
    '海选|海選|初赛|複賽|复赛|1/4决赛|败者组|敗者組決賽|胜者组第1轮|季军赛|總決賽',
    'クオリファイ|クオリファイア|ベスト１６|敗者側ブラケット|勝者側決勝|ルーザーズブラケット|１回戦',
    '퀄리파이어|패자조|승자조 2라운드|패자부활전|3·4위전|3위 결정전|파이널|1주차',
    'Vòng sơ loại|Nhánh thua|Tranh hạng ba|สายล่าง|ชิงอันดับ 3|فرع الخاسرين|المركز الثالث',
    '1-й раунд|1 тур|Верхняя сетка|Матч за 3-е место|Чвертьфінал|Гранд-фінал|Відбір',
    '1. Runde|Verliererrunde 2|Spiel um Platz 3|K.O.-Phase|1er tour|Tableau des perdants|3e place',
    '1ª ronda|Primera ronda|8vos de final|Llave de perdedores|Tercer puesto|1ª fase|Chave inferior',
    'Division 1 Finals|4K|7K Qualifiers|10k',
    'Primo turno|2º turno|Tabellone perdenti|Terzo posto|1. runda|Drabinka przegranych|O 3 miejsce',
  ])('is known in the languages of the game: %s', (names) => {
    for (const name of names.split('|')) {
      for (const form of ['NFC', 'NFD', 'NFKC']) {
        expect(isRoundName(name.normalize(form)), name).toBe(true)
      }
      expect(roundOfHeading(name, codes), name).toEqual({ name, by: 'usual' })
    }
  })

  it('may be in capitals, and have its marks apart from their letters', () => {
    const names = 'Çeyrek Final|Büyük Final|Bán kết|Półfinały|Qualificação|ラウンド16|준결승'
    for (const name of names.split('|')) {
      expect(isRoundName(name.normalize('NFD')), name).toBe(true)
      expect(isRoundName(name.toLocaleUpperCase('tr')), name).toBe(true)
    }
  })

  it('may have what its pool is called behind it', () => {
    const names =
      'Finals Map Pool|Mappool: Finals|map pool - RO16|QF mappool|8강 맵풀|8강 맵 풀|八强图池|準決勝プール|決勝 マッププール'
    expect(names.split('|').map((name) => roundOfHeading(name, codes)?.name)).toEqual(
      'Finals|Finals|RO16|QF|8강|8강|八强|準決勝|決勝'.split('|'),
    )
  })

  it('may have its words parted by other signs, or what it is about behind it', () => {
    expect(
      ['Round_of_16', 'grand-finals', 'Finals (May)', 'Finals: week of May'].map(isRoundName),
    ).toEqual([true, true, true, true])
  })

  it.each(
    [
      'RO20|Group ABC|16|3 Finals|Finals in May|Weekend 1|NM1||Tour|Vòng|Son 5|Runda|الجولة|รอบ|第輪|Yarı',
    ].flatMap((texts) => texts.split('|')),
  )('is none in “%s”', (text) => {
    expect(isRoundName(text)).toBe(false)
    expect(roundOfHeading(text, codes)).toBeNull()
  })
})

describe('the heading of a round', () => {
  it.each([
    ['Quarterfinals:', 'Quarterfinals'],
    ['RO16 (best of 9)', 'RO16 (best of 9)'],
    ['Round of 64 mappool', 'Round of 64'],
    ['Qualifiers Maps', 'Qualifiers'],
    ['Round of 16 - Saturday, 5 May', 'Round of 16 - Saturday, 5 May'],
    ['★ Grand Finals', 'Grand Finals'],
    ['**Grand Finals** :trophy:', 'Grand Finals'],
    ['🏆 __Grand Finals__ <:cup:123456789012345678>', 'Grand Finals'],
    ['== Semifinals ==', 'Semifinals'],
    ['# Grand Finals', 'Grand Finals'],
    ['## Grand Finals (May)', 'Grand Finals (May)'],
    ['[spoilerbox=RO16]', 'RO16'],
    ['[centre][size=150]RO16[/size][/centre]', 'RO16'],
    ['\u200bFinals\u200b\ufeff', 'Finals'],
    ['Finals: a b c d e f g h', 'Finals: a b c d e f g h'],
    ['Finals: a b c d e f g h i', null],
    ['Round: Semifinals', 'Semifinals'],
    ['Stage - Grand Finals (May)', 'Grand Finals (May)'],
    ['**Ronda:** Octavos de final', 'Octavos de final'],
    ['Runde = Viertelfinale', 'Viertelfinale'],
    ['라운드: 8강', '8강'],
    ['轮次：半决赛', '半决赛'],
    ['Division A', 'Division A'],
    ['osu!taiko', 'osu!taiko'],
    ['Best of: Finals', null],
    ['Round: NM1 129891', null],
    ['osu!', null],
    ['Round of 16 is on Saturday', null],
    ['Finals: NM1 129891', null],
    ['# Grand Finals (May)', null],
    [`Finals${' '.repeat(194)}`, 'Finals'],
    [`Finals${' '.repeat(195)}`, null],
  ])('has a usual name: “%s”', (line, name) => {
    expect(roundOfHeading(line, codes)).toEqual(name === null ? null : { name, by: 'usual' })
  })

  it.each([
    ['## **The Last Stand**', 'The Last Stand'],
    ['### The Last Stand ##', 'The Last Stand'],
    ['## \\*The\\* _Stand', '*The* _Stand'],
    ['[heading]The Last Stand[/heading]', 'The Last Stand'],
    ['[box=The Last Stand]', 'The Last Stand'],
    ['[box=[size=100]Cup[/size]]', 'Cup'],
    ['Round: The Last Stand', 'The Last Stand'],
    ['Etapa - El último', 'El último'],
    ['Pool: The Last Stand', null],
    ['Round: NoMod', null],
    ['Round: a b c d e f g h i', null],
    ['## 2026', '2026'],
    ['## OWC 2026', 'OWC 2026'],
    ['# The Last Stand', null],
    ['The Last Stand', null],
    ['## NM1', null],
    ['## NoMod', null],
    ['# 2026', null],
    ['[box=2026]', null],
    ['## \u200b', null],
  ])('has any name that is marked as one, and is no bucket: “%s”', (line, name) => {
    expect(roundOfHeading(line, codes)).toEqual(name === null ? null : { name, by: 'marked' })
  })

  it('is a cell of a column for rounds, whatever it says', () => {
    expect(roundOfCell(' \u200bLow Tide ')).toEqual({ name: 'Low Tide', by: 'cell' })
    expect(roundOfCell(' \u200b ')).toBeNull()
  })
})

describe('the headings of a post', () => {
  const found = (...texts: string[]) =>
    [
      ...roundsOfPost(
        texts.map((text, at) => ({ line: at + 1, text })),
        codes,
      ),
    ].map(([line, { name }]) => `${line} ${name}`)

  it('are rounds, whatever they are called', () => {
    expect(found('[heading]Low Tide[/heading]', 'x', ' [HEADING]7[/heading] ')).toEqual([
      '1 Low Tide',
      '3 7',
    ])
    expect(
      found('[heading]https://a.example/[/heading]', '[heading] [/heading]', 'Finals'),
    ).toEqual([])
    expect(found('[heading][url=x]Low Tide[/url][/heading]')).toEqual([])
  })

  it.each([
    [['[b]NoMod[/b]'], true],
    [['', '[url=x]Pack[/url]', '[list]', '[b]HD[/b]'], true],
    [['[*]1: https://osu.ppy.sh/b/75'], true],
    [['[*]Low Tide'], false],
    [['[b]Low Tide[/b]'], false],
    [['NM1 75', '[b]NoMod[/b]'], false],
    [['', '', '', '', '', '', '[b]NoMod[/b]'], true],
    [['', '', '', '', '', '', '', '[b]NoMod[/b]'], false],
  ])('are rounds with the name of a bucket, if one comes next: %j', (below, isRound) => {
    expect(found('[heading]Hidden[/heading]', ...below)).toEqual(isRound ? ['1 Hidden'] : [])
  })
})

describe('a line of words above labels that begin anew', () => {
  const rounds = (text: string) =>
    readRoundsPaste(text).rounds.map(({ name, lines }) => [
      name,
      lines.flatMap((line) => (line.outcome === 'slot' ? [line.beatmapId] : [])),
    ])
  const pool = (first: number): string => `NM1 ${first}\nHD1 ${first + 1}\n`

  it('is the title of a pool, where the pools before it have other beatmaps for the same labels', () => {
    expect(rounds(`Rookie\n${pool(129891)}\nVeteran\n\n${pool(129893)}`)).toEqual([
      ['Rookie', [129891, 129892]],
      ['Veteran', [129893, 129894]],
    ])
    expect(rounds(`${pool(129891)}\nVeteran\n${pool(129893)}`)).toEqual([
      [null, [129891, 129892]],
      ['Veteran', [129893, 129894]],
    ])
  })

  it.each([
    ['one alone', `Rookie\n${pool(129891)}`],
    ['one above other labels', `Rookie\n${pool(129891)}\nVeteran\nDT1 129893\nFM1 129894`],
    ['one above a single slot', `Rookie\n${pool(129891)}\nVeteran\nNM1 129893`],
    ['one too far above', `Rookie\n${pool(129891)}\nVeteran\n\n\n${pool(129893)}`],
    ['one with a year', `Rookie\n${pool(129891)}\nVeteran 2026\n${pool(129893)}`],
  ])('is none where it is %s', (_, text) => {
    expect(rounds(text).map(([name]) => name)).toEqual([null])
  })
})
