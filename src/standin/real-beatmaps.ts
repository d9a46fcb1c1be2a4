/** The platform's names of the rulesets, in the order of `mode_int`. */
export const modes = ['osu', 'taiko', 'fruits', 'mania'] as const

export type Mode = (typeof modes)[number]

/** What a row is made from; whatever is not known of a beatmap is made up. */
export type BeatmapFacts = {
  readonly set: number
  readonly artist: string
  readonly title: string
  readonly creator: string
  readonly version: string
  readonly mode: Mode
  /** Plain star rating. */
  readonly stars: number
  /** Length in seconds, without mods. */
  readonly seconds: number
  readonly bpm: number | null
}

/** A beatmap of which something is known. */
export type KnownBeatmap = Partial<BeatmapFacts> & {
  /** Ratings by what moves them, in the order EZ HD HR DT HT FL: `DT`, `HR,DT`. */
  readonly ratings?: Readonly<Record<string, number>>
}

/** A beatmap of a real tournament pool: id, set, artist, title, mapper, difficulty name. */
type PoolRow = readonly [number, number, string, string, string, string]

/** The pools of the osu! World Cup 2023 (Qualifiers, Finals, Grand Finals), as facts; no ratings are known. */
export const poolRows: readonly PoolRow[] = [
  [58970, 16457, 'Susumu Hirasawa', 'SWITCHED-ON LOTUS', 'Starrodkirby86', 'KIRBY Mix Deluxe'],
  [129891, 39804, 'xi', 'FREEDOM DiVE', 'Nakagawa-Kanon', 'FOUR DIMENSIONS'],
  [131564, 41686, 'Lily', 'Scarlet Rose', 'val0108', '0108 style'],
  [725198, 326636, 'FELT', 'Puppet in the Dark', 'Mackenzie', 'Out Of Place ARTifactS'],
  [1428309, 675125, 'Dormir', 'Cookie Bouquets', 'dsco', 'Wonderland'],
  [2602090, 1251944, 'RAISE A SUILEN', 'HELL! or HELL?', 'Strategas', 'RAS'],
  [
    2809623,
    1357624,
    'sabi',
    "true DJ MAG top ranker's song Zenpen (katagiri Remix)",
    'Nathan',
    'KEMOMIMI EDM SQUAD',
  ],
  [3326839, 1629695, 'Revo', 'Chihei o Kurau Hebi', 'Bazz B', 'Ouroboros'],
  [4267100, 2044442, 'nui', 'Mayday', 'sukii', 'Senseless'],
  [4344412, 2075247, 'Nekrogoblikon', 'Row', 'Dada', 'woo'],
  [4344423, 2075254, 'SECONDWALL', 'Natsu no Owari', 'Zelq', 'Expert feat. Heroine'],
  [4344435, 2075261, 'Omoi', 'Greenlights Serenade', 'kowari', 'Extreme'],
  [4344441, 2075262, 'Kabocha feat. Sennzai', 'Morphobia', 'Rtyzen', 'Blue Wings'],
  [4344442, 2075263, 'Zekk', 'Vespera', 'Down', 'Twilight'],
  [4344450, 2075266, 'Umeboshi Chazuke', 'Banana! DX Choco Crepe!', 'Nakano Itsuki', 'banana'],
  [4344451, 2075267, 'FRASER EDWARDS', 'Alone', '-Kemsyt', 'Legend'],
  [4344469, 2075277, 'Yunosuke', 'GLAZ', 'Pho', 'LOCK'],
  [4344474, 2075279, 'JOYLESS', 'Dream', 'netnesanya', 'garf'],
  [
    4384562,
    2091742,
    'Coaltar Of The Deepers',
    'dl++[Delatetei] - Sadesper Record Mix',
    'Mirash',
    'deliszewski & Meramirash ft. azer8 Collab Mix',
  ],
  [4384629, 2091775, 'A.SAKA', 'KAGUTSUCHI', 'Nymphe', 'Blossom'],
  [4384633, 2091778, 'Nanahoshi Kangengakudan feat. Hatsune Miku', 'No.39', 'Petal', 'No.01'],
  [
    4384635,
    2091779,
    'Falcom Sound Team jdk feat. Sasaka Megumi',
    'CRIMSON SiN',
    'jonathanlfj',
    'RESeT',
  ],
  [4384637, 2091780, 'sanmal', 'Mind Chase', 'Ishtiaq', 'tourney ver.'],
  [4384665, 2091787, 'orangentle / Yu_Asahina', 'OEFHEBEN', 'Camo', 'Furioso'],
  [4384670, 2091789, 'Aoi', 'Quartzshaper', 'mintIceCream_', 'Snow White'],
  [
    4384671,
    2091790,
    'wowaka',
    'Toosenbo feat. Hatsune Miku',
    'fooders',
    "funny & fooders' Blind Obsession",
  ],
  [4384672, 2091791, 'Capchii', 'Tiny Fate', 'captin1', 'extra'],
  [4384679, 2091797, 'Rohi', 'Gllensista', 'Feiri', 'Collab Legend'],
  [4384680, 2091798, 'Okabe Keiichi - MONACA', 'Ammobium', 'lewski', 'Mankai'],
  [4384687, 2091805, 'Mayumi Morinaga', 'Boutokuteki Sentaku no Alegria', 'Satellite', 'Alegria'],
  [4384690, 2091807, 'Marina Inoue', 'Watashi no Ki-Mo-Chi', 'dasdwqdf', "alleinwqdf's Insane"],
  [4384706, 2091818, 'Sound piercer "Espitz"', 'NOVO HORIZONTE', 'Megafan', 'IRMAOS'],
  [
    4392947,
    2095112,
    'KISIDA KYODAN & THE AKEBOSI ROCKETS',
    'Hack&Slash',
    'SkyFlame',
    "-Kirigiri&SkyFlame's Cutting Edge",
  ],
  [4392949, 2095114, 'Ling tosite sigure', 'Akai Yuuwaku', 'aishiteiru-', 'otshelnik'],
  [
    4392955,
    2095119,
    'litmus* vs Ester',
    'Requiem for the Aura',
    '9ami',
    "Az & 9ami's Soul Rhapsody",
  ],
  [4392958, 2095121, 'Aether', 'Lunate Elf', 'Djulus', 'Extra Stage'],
  [4392960, 2095123, 'Lime', 'Pixel Planet', 'Strategas', 'Ultra'],
  [4392963, 2095125, 'Isekai Joucho', 'Replica', 'Raijodo', 'tkfkdgo'],
  [4392966, 2095128, 'liz triangle', 'Necrogicalize', 'Aragon', 'dwaeji bulgogi collab'],
  [4392973, 2095134, 'Denkishiki Karen Ongaku Shuudan', 'E.E.L.S.', 'IsomirDiAngelo', 'Consumed'],
  [4392977, 2095138, 'ZxNX', 'Fana', 'Altai', 'Annihilation'],
  [4392985, 2095140, 'BilliumMoto', 'Amethyst Aurora', 'fanzhen0019', 'Feather Flash'],
  [4393036, 2095154, 'LV.4', 'Burning Star', 'ktgster', 'Burn Out'],
  [4393040, 2095157, 'Noah', 'Necrofantasia', 'Camo', 'Extra Stage'],
  [4393042, 2095159, 'Kommisar', 'AKARI BEAM CANNON LAST BOSS', 'Serenhaide', 'TEMPORAL BLAST'],
  [4393043, 2095160, 'SHO', 'Maiden in the Cage', 'zekk', 'Lunatic'],
  [4393047, 2095163, 'IA feat. Kagamine Rin', 'Super Nuko World', 'kowari', 'Extra'],
  [4393055, 2095168, 'Cranky', 'R176', 'AJT', 'Easy'],
  [
    4393066,
    2095177,
    'Release Hallucination',
    'Vanitas',
    'Mordred',
    'The Silent Lament of Broken Wings',
  ],
]

const titles = poolRows.map(
  ([id, set, artist, title, creator, version]): [number, KnownBeatmap] => [
    id,
    { set, artist, title, creator, version, mode: 'osu' },
  ],
)

/** Measured on the real platform; where a field is missing here, it was not noted. */
const measured: ReadonlyArray<[number, KnownBeatmap]> = [
  [
    2069833,
    {
      set: 989460,
      artist: 'made-up artist',
      title: 'Hollow',
      creator: 'vrnl',
      version: 'Endless Days',
      mode: 'osu',
      stars: 8.77437,
      seconds: 306,
      bpm: 260,
    },
  ],
  [3631491, { mode: 'osu', stars: 3.73, seconds: 212, bpm: 240 }],
  [3658033, { mode: 'osu', stars: 2.37, seconds: 199, bpm: 184 }],
  [3666654, { mode: 'osu', stars: 1.98, seconds: 88, bpm: 180 }],
  [3716286, { mode: 'osu', stars: 2.29, seconds: 125, bpm: 180.55 }],
  [129891, { mode: 'osu', stars: 7.8058, seconds: 258, bpm: 222.22 }],
  [75, { mode: 'osu', stars: 2.55, seconds: 142, bpm: 119.999, ratings: { DT: 3.61 } }],
  [5590715, { mode: 'mania', stars: 7.62, seconds: 396, bpm: 220 }],
  [5602450, { mode: 'mania', stars: 3.62, seconds: 282 }],
  [3871759, { mode: 'mania', stars: 4.88, seconds: 379 }],
  [5606802, { mode: 'mania', stars: 5.82, seconds: 296 }],
  [5140134, { mode: 'mania', stars: 5.57, seconds: 263 }],
  [5176402, { mode: 'osu', ratings: { DT: 7.35 } }],
  [5486311, { mode: 'osu', ratings: { DT: 7.39 } }],
  [5394208, { mode: 'osu', ratings: { DT: 8.33 } }],
  [915210, { mode: 'osu', stars: 7.84 }],
  [412288, { mode: 'osu', stars: 7.53 }],
  [2348869, { mode: 'osu', stars: 7.15 }],
]

/** Beatmap id → what is known of it. */
export const realBeatmaps: ReadonlyMap<number, KnownBeatmap> = measured.reduce(
  (known, [id, facts]) => known.set(id, { ...known.get(id), ...facts }),
  new Map<number, KnownBeatmap>(titles),
)
