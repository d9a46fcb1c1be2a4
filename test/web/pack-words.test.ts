import { describe, expect, it } from 'vitest'
import type { SitePack } from '../../src/contract/packs.ts'
import { copyName, copyOf } from '../../src/web/pack/create-pack.ts'
import { explainMagnet, magnetName } from '../../src/web/pack/magnets.tsx'
import { fileStem } from '../../src/pool/text.ts'
import { CallFailure } from '../../src/web/site-failure.ts'

const aSitePack = (changes: Partial<SitePack> = {}): SitePack => ({
  slug: 'q7Jm2_xT0a',
  name: 'Finals',
  visibility: 'public',
  description: 'Bans: 2',
  slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  exports: [],
  createdAt: '2026-10-03T18:30:00.000Z',
  updatedAt: '2026-10-03T18:30:00.000Z',
  packKey: 'pk1.AQID',
  ownerName: 'Ada',
  isMine: true,
  isPinned: false,
  ...changes,
})

describe('a copy of a pack', () => {
  it('is found by its owner alone, and says that it is a copy', () => {
    expect(copyOf(aSitePack())).toEqual({
      name: 'Finals (copy)',
      visibility: 'unlisted',
      description: 'Bans: 2',
      slots: aSitePack().slots,
    })
    expect(copyOf(aSitePack({ visibility: 'private' })).visibility).toBe('private')
  })

  it('leaves out the words of somebody else', () => {
    expect(copyOf(aSitePack({ isMine: false }))).toEqual({
      name: 'Finals',
      visibility: 'unlisted',
      slots: aSitePack().slots,
    })
  })

  it('has a name that can be saved (D-19)', () => {
    expect(copyName('x'.repeat(64))).toHaveLength(64)
    // The cut would go through the middle of the last character.
    expect(copyName(`${'x'.repeat(56)}😀😀😀😀`)).toBe(`${'x'.repeat(56)} (copy)`)
  })
})

describe('a recorded magnet link', () => {
  it.each([
    [
      'magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=Grand%20Finals',
      'Grand Finals',
    ],
    ['magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567', '0123456789ab…'],
    ['magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=%E0%A4', '%E0%A4'],
  ])('%s is called %s', (url, name) => {
    expect(magnetName(url)).toBe(name)
  })

  it('is refused in words for whoever looks at the form', () => {
    const failure = (
      code: CallFailure['code'],
      message: string,
      retryAfter: number | null = null,
      url = 'magnet:?dn=Finals',
    ) => explainMagnet(new CallFailure(code, message, { retryAfter }), url)
    for (const url of ['https://files.test/a.zip', ' magnet:xt=urn:btih:1', '']) {
      expect(failure('bad_request', 'Url must begin with magnet:?', null, url)).toBe(
        'The link must begin with magnet:?',
      )
    }
    for (const url of ['magnet:?dn=Finals', ' MAGNET:?xt=urn:btih:1']) {
      expect(failure('bad_request', 'Url must have exactly one xt.', null, url)).toMatch(
        /^The link must have exactly one xt, .* at most one dn, .*without control characters\.$/,
      )
    }
    const changed = new CallFailure('conflict', 'Der Pack ist anders.', { reason: 'pack_changed' })
    expect(explainMagnet(changed, '')).toMatch(/^Der Pack ist anders\. .*[Rr]eload the page/)
    expect(failure('conflict', 'This magnet link is recorded already.')).toBe(
      'This magnet link is recorded already.',
    )
    expect(failure('rate_limited', 'Too many.', 12)).toMatch(/Try again in 12 seconds\.$/)
    expect(failure('rate_limited', 'Too many.', 1)).toMatch(/Try again in 1 second\.$/)
  })
})

describe('the name of a file', () => {
  it.each([
    ['OWC 2023: Finals', 'OWC 2023- Finals'],
    ['../../etc/passwd', 'etc-passwd'],
    ['   ...', 'pack'],
    ['<b>"Cup"?*|\\', 'b-Cup'],
    ['春の杯', '春の杯'],
  ])('%s becomes %s', (name, stem) => {
    expect(fileStem(name)).toBe(stem)
  })
})
