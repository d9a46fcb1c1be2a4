import { createCanvas, loadImage } from '@napi-rs/canvas'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { LogoProblem, readSvg } from '../../src/domain/logo.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const LINKS = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
/** Something that is seen. */
const SHAPE = '<path d="M0 0h8v8z"/>'
const svg = (inner: string, more = ''): string =>
  `<svg ${NS} viewBox="0 0 64 64"${more}>${inner}${SHAPE}</svg>`

const problemOf = (text: string): string | null => {
  try {
    readSvg(text)
    return null
  } catch (error) {
    if (error instanceof LogoProblem) return error.message
    throw error
  }
}

const gradient = '<linearGradient id="g"><stop offset="0" stop-color="#f00"/></linearGradient>'
const clip = '<clipPath id="c"><circle r="9"/></clipPath>'

/** What programs that draw save, and what becomes of it. */
const good: readonly (readonly [what: string, text: string])[] = [
  ['a shape', svg('<path d="M8 40l16-24 10 14z"/>')],
  ['each shape', svg('<rect/><circle/><ellipse/><line/><polyline/><polygon points="0,0 1,1"/>')],
  ['a declaration', `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${svg('<g/>')}\n`],
  ['a byte order mark', `\uFEFF${svg('<g/>')}`],
  ['comments', `<!-- one -->${svg('<!-- <script> --><g/>')}<!-- two -->`],
  ['a gradient', svg(`<defs>${gradient}</defs><rect fill="url(#g)"/>`)],
  [
    'a gradient of a gradient',
    svg(`${gradient}<radialGradient id="h" xlink:href="#g"/>`, ` ${LINKS}`),
  ],
  [
    'a clip path and a mask',
    svg(`${clip}<mask id="m"><g/></mask><g clip-path="url(#c)" mask="url(#m)"/>`),
  ],
  ['declarations in style', svg('<rect style="fill:#fff;fill-opacity:.9; stroke: none;"/>')],
  ['a gradient in style', svg(`${gradient}<rect style="fill:url(#g)"/>`)],
  ['transforms', svg('<g transform="translate(1 2) rotate(-4.5, 3,3) scale(1e-2)"/>')],
  ['words for readers', svg('<title>A &amp; B &lt;3</title><desc>"x"</desc>')],
  ['single quotes', `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>${SHAPE}</svg>`],
]

/** One kind of attack or of what cannot be checked each, and a part of what is said of it. */
const bad: readonly (readonly [what: string, text: string, said: string])[] = [
  ['a script', svg('<script>alert(1)</script>'), '<script>'],
  ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>'), '<SCRIPT>'],
  [
    'a script with a prefix',
    svg('<svg:script/>', ' xmlns:svg="http://www.w3.org/2000/svg"'),
    'xmlns:svg',
  ],
  ['a script from elsewhere', svg('<script href="https://evil.example/x.js"/>'), '<script>'],
  ['an event', svg('<g onload="alert(1)"/>'), 'onload'],
  ['an event of the root', svg('', ' onload="alert(1)"'), 'onload'],
  ['an event in capitals', svg('<g ONCLICK="alert(1)"/>'), 'ONCLICK'],
  ['foreign HTML', svg('<foreignObject><body/></foreignObject>'), '<foreignObject>'],
  ['a link', svg('<a href="https://evil.example"><rect/></a>'), '<a>'],
  ['a link of script', svg('<a href="javascript:alert(1)"/>'), '<a>'],
  ['a picture', svg('<image href="https://evil.example/x.png"/>'), '<image>'],
  ['a picture of data', svg('<image href="data:image/svg+xml,x"/>'), '<image>'],
  ['something used from elsewhere', svg('<use href="https://evil.example/x.svg#a"/>'), '<use>'],
  ['something used again and again', svg('<g id="a"/><use href="#a"/><use href="#a"/>'), '<use>'],
  ['a symbol', svg('<symbol/>'), '<symbol>'],
  ['a pattern', svg('<pattern/>'), '<pattern>'],
  ['a marker', svg('<marker/>'), '<marker>'],
  ['a filter', svg('<filter><feImage href="https://evil.example/"/></filter>'), '<filter>'],
  ['a style sheet', svg('<style>*{fill:red}</style>'), '<style>'],
  ['a style sheet that loads', svg('<style>@import "https://evil.example";</style>'), '<style>'],
  ['text', svg('<text>Cups</text>'), '<text>'],
  [
    'an animation',
    svg('<rect><animate attributeName="href" to="javascript:1"/></rect>'),
    '<animate>',
  ],
  ['a set', svg('<rect><set attributeName="onload" to="1"/></rect>'), '<set>'],
  ['a handler', svg('<handler/>'), '<handler>'],
  ['an iframe', svg('<iframe src="https://evil.example"/>'), '<iframe>'],
  ['metadata', svg('<metadata/>'), '<metadata>'],
  ['an svg within', svg(`<svg ${NS}/>`), '<svg> in <svg>'],
  [
    'a shape in a gradient',
    svg('<linearGradient><rect/></linearGradient>'),
    '<rect> in <linearGradient>',
  ],
  ['a DOCTYPE', `<!DOCTYPE svg>${svg('')}`, 'DOCTYPE'],
  [
    'entities that grow',
    `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY b "&a;&a;">]>${svg('')}`,
    'DOCTYPE',
  ],
  [
    'an external entity',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('')}`,
    'DOCTYPE',
  ],
  ['an entity', svg('<title>&x;</title>'), 'an entity'],
  ['an entity in an attribute', svg('<g id="&#97;"/>'), 'an entity'],
  ['CDATA', svg('<title><![CDATA[<script>]]></title>'), 'CDATA'],
  [
    'an instruction',
    `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`,
    'instruction',
  ],
  ['a second declaration', `<?xml version="1.0"?><?xml version="1.0"?>${svg('')}`, 'instruction'],
  ['another encoding', `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`, 'instruction'],
  ['paint from elsewhere', svg('<rect fill="url(https://evil.example/x.svg#a)"/>'), 'fill='],
  ['paint of data', svg('<rect fill="url(data:image/svg+xml,x#a)"/>'), 'fill='],
  ['paint in quotes', svg(`<rect fill="url('#a')"/>`), 'fill='],
  ['a mask from elsewhere', svg('<rect mask="url(//evil.example#m)"/>'), 'mask='],
  ['style that loads', svg('<rect style="fill:url(https://evil.example/#x)"/>'), 'style='],
  ['style of an unknown kind', svg('<rect style="behavior:url(#a)"/>'), 'style='],
  ['style with a background', svg('<rect style="background:red"/>'), 'style='],
  ['style with a comment', svg('<rect style="fill/**/:red"/>'), 'style='],
  ['style with an escape', svg(String.raw`<rect style="fill:\75rl(x)"/>`), 'style='],
  ['style that is an expression', svg('<rect style="fill:expression(alert(1))"/>'), 'style='],
  ['an unknown attribute', svg('<rect attributeName="x"/>'), 'attributeName='],
  ['a base', svg('<g/>', ' xml:base="https://evil.example/"'), 'xml:base='],
  ['another namespace', svg('<g xmlns="http://www.w3.org/1999/xhtml"/>'), 'xmlns='],
  ['a namespace more', svg('<g/>', ' xmlns:h="http://www.w3.org/1999/xhtml"'), 'xmlns:h='],
  ['a gradient from elsewhere', svg('<linearGradient href="https://evil.example#g"/>'), 'href='],
  ['a link of a shape', svg('<rect href="#a"/>'), 'href='],
  [
    'a circle of gradients',
    svg('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'),
    'refers to another',
  ],
  ['a gradient of itself', svg('<linearGradient id="a" href="#a"/>'), 'refers to another'],
  [
    'a circle of clip paths',
    svg('<clipPath id="c"><rect clip-path="url(#c)"/></clipPath>'),
    'refers to another',
  ],
  [
    'a circle through style',
    svg('<mask id="m"><g style="mask:url(#m)"/></mask>'),
    'refers to another',
  ],
  ['paint that is not there', svg('<rect fill="url(#nothing)"/>'), 'not there'],
  ['paint that is a clip path', svg(`${clip}<rect fill="url(#c)"/>`), 'not there'],
  ['two of an id', svg('<g id="a"/><g id="a"/>'), 'twice'],
  ['two of an attribute', svg('<g id="a" id="b"/>'), 'twice'],
  [
    'links without their namespace',
    svg(`${gradient}<linearGradient xlink:href="#g"/>`),
    'xmlns:xlink',
  ],
  ['no namespace', '<svg viewBox="0 0 1 1"/>', 'xmlns'],
  ['no size', `<svg ${NS} width="64" height="64"/>`, 'viewBox'],
  ['a size that is nothing in 32 bits', `<svg ${NS} viewBox="0 0 1e-320 1e-320"/>`, 'viewBox'],
  ['a viewBox that lacks a number', `<svg ${NS} viewBox=",0 64 64"/>`, 'viewBox'],
  ['a size of nothing', `<svg ${NS} viewBox="0 0 0 64"/>`, 'viewBox'],
  ['a size that no memory holds', `<svg ${NS} viewBox="0 0 1e9 1e9"/>`, 'viewBox'],
  ['a line', `<svg ${NS} viewBox="0 0 100 1"/>`, 'times as wide'],
  ['HTML', '<!doctype html><script>alert(1)</script>', 'DOCTYPE'],
  ['HTML without a DOCTYPE', '<html><script>alert(1)</script></html>', 'is no SVG'],
  ['a second picture', svg('') + svg(''), 'after its picture'],
  ['a script after it', `${svg('')}<script>alert(1)</script>`, 'after its picture'],
  ['an end that is missing', `<svg ${NS} viewBox="0 0 1 1"><g>`, 'ends within'],
  ['ends that cross', svg('<g><defs></g></defs>'), 'end that is not of'],
  ['an attribute without quotes', svg('<g id=a/>'), 'no value'],
  ['an attribute without a value', svg('<g id/>'), 'no value'],
  ['an attribute without its sign', svg('<g id"a"/>'), 'no value'],
  ['attributes without a space', svg('<g id="a"class="b"/>'), 'no value'],
  ['a sign that XML does not have', svg('<title>\0</title>'), 'XML does not have'],
  ['text of a group', svg('<g>alert(1)</g>'), 'text in <g>'],
  ['too many elements', svg('<g/>'.repeat(2_000)), 'more than 2000'],
  ['too deep elements', svg('<g>'.repeat(40) + '</g>'.repeat(40)), 'more than 32 deep'],
  ['nothing', '', 'is no SVG'],
]

describe('D-104: an SVG logo', () => {
  test.each(good)('may have %s, and stays the same when it is read again', (_, text) => {
    const written = readSvg(text)
    expect(readSvg(written)).toBe(written)
  })

  it('is written anew: with a size of its own, and without what stands between', () => {
    const text = `<?xml version="1.0"?><!-- Nordlicht -->\n${svg("<g id = 'a' >\n <rect width='8'/>\n</g>", ' width="9000" height="1"')}`
    expect(readSvg(text)).toBe(
      `<svg ${NS} viewBox="0 0 64 64" width="512" height="512"><g id="a"><rect width="8"/></g>${SHAPE}</svg>\n`,
    )
    expect(readSvg(`<svg ${NS} viewBox="-1 0 30 60">${SHAPE}</svg>`)).toContain(
      'width="256" height="512"',
    )
  })

  test.each(bad)('may not have %s', (_, text, said) => {
    expect(problemOf(text)).toContain(said)
  })

  const of = (inner: string, more = ''): string =>
    `<svg ${NS} viewBox="0 0 64 64"${more}>${inner}</svg>`
  const seen = [
    SHAPE,
    '<rect width="8" height="8"/>',
    '<circle r="8"/>',
    '<ellipse rx="8" ry="4"/>',
    '<polygon points="0,0 8,0 8,8"/>',
    '<line x2="9" y2="9" stroke="#f00"/>',
    '<path d="M0 0h9" fill="none" stroke="#f00"/>',
    '<g fill="none"><path d="M0 0h9v9z" style="fill:#f00"/></g>',
    `<g opacity="0">${SHAPE}</g>${SHAPE}`,
  ]
  const unseen = [
    '',
    '<g/>',
    '<title>Cups</title>',
    `<defs>${SHAPE}</defs>`,
    `<clipPath id="c">${SHAPE}</clipPath>`,
    `<mask id="m">${SHAPE}</mask>`,
    '<rect/>',
    '<rect width="8"/>',
    '<rect width="8" height="0"/>',
    '<circle r="0"/>',
    '<path/>',
    '<path d=""/>',
    '<polygon points=""/>',
    '<line x2="9" y2="9"/>',
    '<path d="M0 0h9v9z" fill="none"/>',
    '<path d="M0 0h9v9z" fill="transparent"/>',
    '<path d="M0 0h9v9z" style="fill:none"/>',
    '<path d="M0 0h9v9z" fill="#f00" style="fill:none"/>',
    '<path d="M0 0h9v9z" fill-opacity="0"/>',
    '<path d="M0 0h9v9z" fill="none" stroke="#f00" stroke-width="0"/>',
    '<path d="M0 0h9v9z" fill="none" stroke="#f00" stroke-opacity="0%"/>',
    `<g fill="none">${SHAPE}</g>`,
    `<g opacity="0"><g>${SHAPE}</g></g>`,
    `<g display="none">${SHAPE}</g>`,
    `<g visibility="hidden">${SHAPE}</g>`,
    '<g visibility="hidden"><path d="M0 0h9v9z" visibility="visible"/></g>',
    `<g style="opacity:0.0">${SHAPE}</g>`,
  ]

  test.each(seen)('%s is something to be seen', (inner) => {
    expect(problemOf(of(inner))).toBeNull()
  })

  test.each(unseen)('%s alone is nothing, and no logo', (inner) => {
    expect(problemOf(of(inner))).toBe('shows nothing: all of it is transparent')
    expect(problemOf(of(inner + SHAPE))).toBeNull()
  })

  test('one whose root is transparent is no logo', () => {
    for (const more of [' opacity="0"', ' fill="none"', ' display="none"']) {
      expect(problemOf(of(SHAPE, more))).toMatch(/^shows nothing/)
    }
  })

  // The other way round it is not so: of what browsers do not draw, the library draws lines of no width.
  it.each(seen)('%s is drawn by the library that draws icons, too', async (inner) => {
    const image = await loadImage(Buffer.from(readSvg(of(inner))))
    const context = createCanvas(64, 64).getContext('2d')
    context.drawImage(image, 0, 0, 64, 64)
    const { data } = context.getImageData(0, 0, 64, 64)
    expect(data.some((value, at) => at % 4 === 3 && value > 0)).toBe(true)
  })

  it('is refused with the line', () => {
    expect(problemOf(svg('\n<g/>\n<script/>'))).toBe(
      'holds <script>, which a logo may not; save it as a plain SVG without that (line 3)',
    )
  })

  it('has the size in which it is drawn, and the same viewBox to all who read it, or is refused', () => {
    const number = fc.oneof(
      fc.constantFrom(
        '0',
        '64',
        '1e-320',
        '1e-45',
        '1e5',
        '1e400',
        '-1',
        '.5',
        '5.',
        '+3',
        '',
        'e',
      ),
      fc.double({ noNaN: true }).map(String),
      fc.integer({ min: 1, max: 9 }).map(String),
    )
    const gap = fc.constantFrom(' ', ',', ' , ', ',,', '  ')
    const start = fc.constantFrom('0 0', '1,2', ',0', '0,,0')
    fc.assert(
      fc.property(start, gap, number, gap, number, (from, one, width, other, height) => {
        const text = `<svg ${NS} viewBox="${from}${one}${width}${other}${height}"/>`
        if (problemOf(text) !== null) return
        const [, box = '', ...sides] =
          /viewBox="([^"]*)" width="(\d+)" height="(\d+)"/.exec(readSvg(text)) ?? []
        expect(Math.max(...sides.map(Number))).toBe(512)
        expect(Math.min(...sides.map(Number))).toBeGreaterThanOrEqual(128)
        expect(box.split(' ').map((each) => Math.fround(Number(each)))).toEqual(
          [...from.split(/[ ,]/), width, height].map((each) => Math.fround(Number(each))),
        )
        expect(Math.fround(Number(width)) * Math.fround(Number(height))).toBeGreaterThan(0)
      }),
      { numRuns: 5_000 },
    )
  })

  it('that holds a piece of a bad one anywhere is refused, or what is written is harmless', () => {
    const pieces = bad.flatMap(([, text]) => text.split(/(?=[<&])|(?<=[>;])|(?= )/))
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string())
    const text = fc.constantFrom(...good.map(([, each]) => each))
    fc.assert(
      fc.property(text, piece, fc.nat(), fc.nat({ max: 9 }), (whole, added, place, cut) => {
        const at = place % (whole.length + 1)
        const changed = whole.slice(0, at) + added + whole.slice(at + cut)
        if (problemOf(changed) !== null) return
        const written = readSvg(changed)
        expect(readSvg(written)).toBe(written)
        const names = [...written.matchAll(/<\/?([^\s/>]+)/g)].map(([, name]) => name)
        for (const name of names) expect(HARMLESS).toContain(name)
        expect(written).not.toMatch(/<[^>]*\s(?:on\w*|src|xml:base)=/i)
        expect(written.replaceAll(/xmlns(?::xlink)?="[^"]*"/g, '')).not.toMatch(
          /<[^>]*(?:url\((?!\s*#)|href="(?!#)|@import|&#)/i,
        )
        expect(written).not.toMatch(/<[!?]/)
      }),
      { numRuns: 5_000 },
    )
  })
})

const HARMLESS =
  'svg g defs path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath mask title desc'.split(
    ' ',
  )
