import { describe, expect, it, test } from 'vitest'
import { containsSlur } from '../../src/domain/slurs/slurs.ts'

const surnames = ['Dyke', 'Dykes', 'Neger', 'Coon', 'Coons', 'Beaner']
const given = ['Anna', 'Greg', 'María', 'Žofie', 'J.', 'Yuki', 'Rahul', 'Olufemi']

describe('D-24: a surname that is spelled like a slur is a name where names stand', () => {
  test.each(surnames)('%s', (surname) => {
    const texts = given.flatMap((first) => [
      `${first} ${surname}`,
      `${surname}, ${first}`,
      `${first} ${surname} Memorial Cup`,
      `mapped by ${first} ${surname} in 2026`,
      `Grand Finals\n${first} ${surname} vs. Peppy`,
      `${first} "Annie" ${surname}`,
    ])
    texts.push(`(${surname})`, `${surname}123`, `${surname}1994`)
    texts.push(`Dr. ${surname}`, `Mrs ${surname}`, `Spring Cup, mapped by ${surname}`)
    expect([surname, ` ${surname}\n`, ...texts].filter(containsSlur)).toEqual([])
  })

  it.each([
    'Enrique "Kike"',
    'Enrique “Kike” Hernández',
    'Enrique (Kike) Sola',
    'Пидоренко',
    'Кубок Пидоренко',
    'Honiggasse',
    'Enrique Kike Wolff',
    'Smith-Dykes',
    'Vlado99',
    'Neggers',
    'Anna Fagg',
    'Marie Gouine',
    'Jan Kaffer',
    'Dykeman, Fagone, Wogsland, Bronneger',
    'Realfag for alle',
    'wij zijn negerende fietsers',
    'spickend und overwoog',
    'Spicc',
  ])('%s', (text) => {
    expect(containsSlur(text)).toBe(false)
  })
})

describe('D-24: a name does not hide a slur', () => {
  const openers = ['The', 'Kill All', 'Dirty', 'Alle', 'Scheiß', 'No More', 'Hallo', 'Two']

  test.each(surnames)(
    '#%#: in small letters, in capitals, disguised or without a given name',
    (surname) => {
      const word = surname.toLowerCase()
      const texts = [
        word,
        word.toUpperCase(),
        `Anna ${word}`,
        `anna ${surname}`,
        `alle ${surname}`,
        `${surname}!`,
        `${surname} Cup`,
        `${surname}1488`,
        `${surname}2024`,
        `Burn-${surname}`,
        `killed by ${surname}`,
        `Anna ${surname.replace('e', '3').replace('o', '0')}`,
        `Anna ${Array.from(surname).join('.')}`,
        ...openers.map((before) => `${before} ${surname}`),
        `Anna ${surname} is a ${word}`,
      ]
      expect(texts.filter((text) => !containsSlur(text))).toEqual([])
    },
  )

  it.each([0, 1, 2])('neither does a nickname (#%#)', (at) => {
    expect(containsSlur(['Kike', 'The "Kike" Cup', 'enrique "kike"'][at] ?? '')).toBe(true)
  })
})
