const SLOTS = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB']
const COLOURS = { NM1: 0x7f9fff, HD1: 0xffd24d, HR1: 0xff6b6b }

function poll(ms = 15000) {
  setTimeout(() => fetch('/api/pool?rev=240118').then(draw), ms)
}
