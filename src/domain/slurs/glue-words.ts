/**
 * Common words that people write in front of or behind another without a space. A stem is found between
 * two of them, or between one and the edge of a word: "the…cup". Left out are those that innocent words
 * begin or end with beside a stem, such as the "stan" of a country.
 */
export const glueWords: ReadonlySet<string> = new Set(
  `about after again all always and angry another any anti army back bad ball band bang bash bastard
 battle beat best big bitch black blue boss boy boys bro brown bunch but buy cat champ chat clan
 class club cold come cool country crew cup cute damn dark day dead death die dirty down drive drop
 dude dumb easy end epic evil ever every exe face fan fast fat fight filthy final finals fire first for
 free friend from fuck fucking fun funny game gamer games gang gas gay get girl give god gold good got
 grand great green group guy guys hail happy hard hate hater haters have hello here hey home hot how
 huge hunt hunter idiot just kid kids kill killer killers killing king know land last late league less
 life like little live lol long look lord love lover loves mad main make man map maps master match mate
 max mean men mode money more most much music must my name new nice night noob not now of off old one
 only open osu our out over own pack packs party people play player players please pool pools power
 pretty pro queen quick race rank real red rich room round run sad say score season see set sex shit show
 sick slow small smart smelly some son song sound squad star stop street strong stupid style suck sucks
 super team test than that the their them these they thing this those time tiny today too top tour
 tournament town trash tree true ugly ultra under very vs wanna want war was we weak week welcome white
 who win winner with woman women word work world worst xd year yes you young your zone`.split(
    /\s+/,
  ),
)
