/** The beatmap's page on the game platform. */
export const beatmapLink = (id: number): string => `https://osu.ppy.sh/beatmaps/${id}`
