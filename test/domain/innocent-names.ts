/** Each group's entries stand between bars or on lines of their own. */
const entries = (text: string): string[] =>
  text
    .split(/\n|¦/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** What people really write in names and descriptions; none of it is a slur (D-24). */
export const innocent: Readonly<Record<string, readonly string[]>> = {
  'names of a tournament': entries(`
    OWC 2023 Grand Finals ¦ Round of 16 ¦ Qualifiers ¦ Semifinals NM1 HD2 HR3 DT4 FM5 TB
    Group Stage A-F ¦ Mappool v2 (fixed) ¦ 5 digit cup #3 ¦ 3v3 TB6 ¦ RC1 LN2 HB3 SV4
    4K 7K 10K ¦ FA6 replaced, FA9 too ¦ PF9 + WO6 ¦ 600k, 900k and 9.00k score ¦ 900k-1m in NM1
    1,000,000 SS ¦ 727pp WYSI ¦ x6 x9 FC 100k ¦ [4.69* - 6.66*] ¦ Toni1994 vs Dani994
    Romani1994 hosts ¦ uni1694 ¦ sha1 25ace97d ¦ kde-i18n-es ¦ host: SPLC ¦ youtu.be/aB3coon-xYz ¦ pak* kik*
    https://osu.example/b/4392947#base ¦ Spring Cup | 4.2* | std ¦ Beginner-friendly!!
    GM / pooler / reffed ¦ Faction War FAQ ¦ Sep-Oct 2026 ¦ TB (tie-breaker)
  `),
  artists: entries(`
    KISIDA KYODAN & THE AKEBOSI ROCKETS ¦ Nekrogoblikon ¦ Okabe Keiichi - MONACA
    Coaltar Of The Deepers ¦ BilliumMoto ¦ Sound piercer "Espitz" ¦ litmus* vs Ester
    orangentle / Yu_Asahina ¦ Falcom Sound Team jdk feat. Sasaka Megumi
    Nanahoshi Kangengakudan feat. Hatsune Miku ¦ Denkishiki Karen Ongaku Shuudan
    Ling tosite sigure ¦ wowaka ¦ xi ¦ Kabocha feat. Sennzai ¦ Spice Girls ¦ Dick Van Dyke
    Gang Starr ¦ Nickelback ¦ Rage Against the Machine ¦ Suspicious Minds ¦ Chris Coons
    Kike Pavon ¦ Spastik ¦ Wolfgang Amadeus Mozart ¦ Edvard Grieg ¦ Hans Zimmer ¦ Negramaro
    Los Negros ¦ Kate Nigel ¦ Kaffeehaus ¦ Jungkook ¦ Jeon Jung-gook ¦ Faggin ¦ Niggemann
    Fagerholm ¦ Magnus Fagernes ¦ Tycoon Sound ¦ Cocoon ¦ Kokia ¦ Paku Romi ¦ Pakito ¦ DJ Paking
    Chinko Ekun ¦ Van Dykes ¦ Snigger Sisters ¦ A.SAKA ¦ 9ami ¦ ZxNX
  `),
  titles: entries(`
    true DJ MAG top ranker's song Zenpen (katagiri Remix) ¦ Hack&Slash ¦ E.E.L.S.
    dl++[Delatetei] - Sadesper Record Mix ¦ Watashi no Ki-Mo-Chi ¦ FREEDOM DiVE ¦ Necrogicalize
    HELL! or HELL? ¦ SWITCHED-ON LOTUS ¦ OEFHEBEN ¦ R176 ¦ No.39 ¦ Chinkonka ¦ Chinkon no Uta
    Ore no Uta o Kike! ¦ Uta wo Kike ¦ Paki Paki Dance ¦ paki-paki ¦ Kimi ni Kikeba ¦ Kikelet
    Fukai Mori no Kiken ¦ Zigeunerweisen ¦ Golliwogg's Cakewalk ¦ La Negra Tiene Tumbao
    El Negro Zumbon ¦ Ojos Negros ¦ Rio Negro ¦ Black or White ¦ Gypsy Woman
    Doo Wop (That Thing) ¦ Fagotto Concerto ¦ Fag an Bealach ¦ Fagott und Klavier ¦ Homo sapiens
    Homogenic ¦ Big Iron ¦ Big Game ¦ Bigger Than Us ¦ Tigger Song ¦ Digger, Trigger, Jigger
    Rigger Mortis ¦ Nagger ¦ Niggle ¦ Nightingale ¦ Knight Rider ¦ Ignition ¦ Dragger
    Spic and Span ¦ Spick-and-Span ¦ Spice ¦ Spica ¦ Spicule ¦ Despicable Me ¦ Conspicuous
    Auspicious ¦ Suspicion ¦ Allspice ¦ Chink in the Armor ¦ Chinks in the armour ¦ Chinchilla
    Kaffir Lime ¦ Maine Coon Waltz ¦ Raccoon ¦ Cocoon ¦ Tycoon ¦ Puccoon ¦ Retro Ard
    Ritardando ¦ Retardation ¦ Flame retardant ¦ Coupe en retard ¦ Le retard du train
    un retard de dix minutes ¦ mon retard ¦ Mais il est tard ¦ Mustard ¦ Bastard ¦ Custard
    Leotard ¦ Transmission ¦ Trans-Europe Express ¦ Tyranny ¦ Granny ¦ Uncanny ¦ Nanny
    Offa's Dyke ¦ Dutch Dike ¦ Vandyke Brown ¦ Klondike ¦ Gobbledygook ¦ Han Gook Saram ¦ Goblin
    Goofy ¦ Cook, Look, Book ¦ Wigwam ¦ Swag ¦ Golly ¦ Pollywog ¦ Wogan ¦ Bean and Beanery
    Wet Back Road ¦ Sandman ¦ Scunthorpe ¦ Penistone ¦ Cockburn ¦ Clitheroe ¦ Lightwater
    Assassin ¦ Classic ¦ Therapist ¦ Grape ¦ Analysis ¦ Titanic ¦ Cumulus ¦ F A G C ¦ C F A G
    C-F-A-G progression ¦ chords: A F G E, d f a g ¦ A B C D E F G ¦ D.G.C.F ¦ L o v e
    a b o u t ¦ S O S ¦ N i g h t ¦ Sp1ce Gir1s vs sp!ce ¦ N1ghtcore ¦ n!ght ¦ L33t H4x0r ¦ b00k
    c00l k1d ¦ M!ss P!nk ¦ $hort $tory ¦ p@rty
  `),
  mappers: entries(`
    Mackenzie ¦ Starrodkirby86 ¦ mintIceCream_ ¦ IsomirDiAngelo ¦ Nakagawa-Kanon ¦ fanzhen0019
    jonathanlfj ¦ val0108 ¦ -Kemsyt ¦ dasdwqdf ¦ Vlado ¦ Vlad0 ¦ Kiko ¦ Kiki ¦ Mikkel ¦ Nigel
    Niger ¦ Nigg ¦ Nico_Nico ¦ Nina ¦ Negi ¦ Negishi ¦ Kanako ¦ Kanade ¦ Fagan ¦ Fago ¦ pakki
    Pako ¦ Coonan ¦ Cooney ¦ Dykema ¦ Spicer ¦ Chinkai ¦ Tran Nygaard ¦ Gookie ¦ Wogle
    Retarius ¦ Beanie ¦ Pikeyboard ¦ Neger1ng ¦ Tarlo ¦ Travis ¦ Viadro ¦ Jidan ¦ Ibne Sina
    Frodo ¦ Maricela ¦ Marico ¦ Mariconda ¦ Sudachi ¦ Kaffee ¦ Spastian
  `),
  'countries, cities and peoples': entries(`
    Niger ¦ Nigeria ¦ Nigerian ¦ Montenegro ¦ Negros Occidental ¦ Negeri Sembilan ¦ Río Negro
    Pakistan ¦ Pakistani ¦ Uzbekistan ¦ Japan ¦ Nippon ¦ Hong Kong ¦ China ¦ Chinese ¦ Indochina
    Vietnam ¦ Mongolia ¦ Nuku'alofa ¦ Essex ¦ Middlesex ¦ Sussex ¦ Coonabarabran ¦ Coonoor
    Kikerino ¦ Dagoretti ¦ Dago, Bandung ¦ Chinkiang ¦ Spickard ¦ Spich ¦ Dykehead ¦ Gookin
    Lesbos ¦ Fagersta ¦ Fagaras ¦ Kikinda ¦ Pakistan Open ¦ Pa-ki-xợ-thănh ¦ Нигер ¦ Нигерия
    Черногория ¦ Босния и Герцеговина ¦ босния-герцоговина ¦ Пакистан ¦ Чукотка ¦ Нигерийский
    ナイジェリア ¦ 尼日利亚 ¦ 나이지리아 ¦ מונטנגרו ¦ نيجيريا ¦ Νίγηρας ¦ インドシナ半島 ¦ 印度支那 ¦ 東シナ海 ¦ 기니 ¦ 니제르
    नाइजीरिया ¦ ไนจีเรีย ¦ Nigéria ¦ Niĝero ¦ Nigerija ¦ Nigerien
  `),
  'ordinary swearing': entries(`
    shit ¦ fuck this map ¦ bullshit ¦ bitch ¦ damn ¦ ass ¦ asshole ¦ bastard ¦ cunt ¦ dickhead
    wanker ¦ motherf*cker ¦ f*** you ¦ sh1t ¦ puta madre ¦ mierda ¦ merde ¦ putain ¦ enculé
    Scheiße ¦ Arschloch ¦ caralho ¦ kurwa ¦ блять ¦ сука ¦ くそ ¦ 병신 ¦ 씨발 ¦ 他妈的 ¦ cazzo ¦ stronzo
    perkele ¦ vittu ¦ kut
  `),
  sentences: entries(`
    A big game tan nice for all; I am in it, so go on. ¦ It is a no, if a good cook can go ok.
    Stop/go/on or ho-mo-geneous ¦ We sing gersta songs; he ran nygaard down.
    When you pin a pack it stays on top. ¦ My hair was wet back then.
    A ni ce day; I want to be an ER doctor ¦ o u t w a r d ¦ sagging, nagging, bragging rights
    a fag end of the season ¦ Selle paki kaardid on rasked. ¦ paki-check po ang mappool
    Tryk og klikke her; klik og klikkede ¦ Negeer deze fout. ¦ Een knikker en een flikkering
    mellanliggande och snyggare ¦ Das ist wenig Geräusch; Honig-Geruch, König Gerhard
    Der Train kam mit Verspätung; Fagott, Spickzettel ¦ Ein Abo für den Zigeunerbaron
    Désolé du retard, les retards et ton retard de vingt minutes
    El vestido negro y la gata negra ¦ Mari con su guitarra ¦ Una acción retardada
    Amb retard, el retard del tren ¦ O viaduto e o vinho ¦ Il faggio e la faggeta; negro fumo
    Kto ma pedały w gitarze? ¦ Pak i ty přijdeš ¦ Radki i kod ¦ Bu bir oyun, uzunlıqqa
    Ang ganda ng kanta ¦ Весенний кубок: финал, жидкость, раки, раку, межвидовой ¦ радкі і словы
    Незв'язувальний пробіл ¦ Хохлома и чурчхела ¦ Москва слезам не верит; не будь занудой
    春の大会 🌸 決勝 ¦ ガイジンと害獣ガイジュウ ¦ カイシ！トーナメント ¦ シナリオとパキパキ ¦ 東方紅魔郷 〜 墓場 ¦ 一支那么大的队伍 ¦ 鬼子母神
    가을 대회 결승, 짱구와 깜짝 선물 ¦ 니가 좋아 ¦ ฤดูใบไม้ผลิ ¦ كأس الربيع ¦ אביב ¦ Άνοιξη: κακό ¦ बसंत कप
    🇵🇱🇳🇴 vs 🇮🇹🇬🇷 ¦ 🔥🔥🔥 !!! ??? *** ¦ T̲h̲e̲ ̲E̲n̲d̲ ¦ ⓣⓗⓔ ⓔⓝⓓ ¦ 𝕿𝖍𝖊 𝕰𝖓𝖉
    ᴛʜᴇ ᴇɴᴅ ¦ snigger at a raccoon; niggardly ¦ - a - b - c - ¦ 1. 2. 3. n 4. i
  `),
}
