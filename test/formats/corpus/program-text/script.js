const ids = [4384679, 131564, 4393043, 4384635]
for (const id of ids) {
  client.send(`!mp map ${id} 0`)
}
console.log('done')
