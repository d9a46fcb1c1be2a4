/** What beatmaps ask of players, in small letters: pools that are no mods' have buckets of these names. */
const skills = new Set(
  [
    'jump|jumps|stream|streams|deathstream|tech|technical|alt|alternate|alternating|speed|aim|flow|flow aim|reading',
    'finger control|stamina|precision|accuracy|consistency|gimmick|gimmicks|burst|bursts|slider|sliders|tapping|snap aim',
    'low ar|high ar|high bpm|chordjack|jack|jacks|jumpstream|handstream|dump|vibro|inverse|release|hyperdash|convert|converts',
  ].flatMap((names) => names.split('|')),
)

/** Whether a text is the name of a skill, which is that of a bucket: `Jump`, `Finger control`. */
export const isSkill = (text: string): boolean => skills.has(text.toLowerCase())
