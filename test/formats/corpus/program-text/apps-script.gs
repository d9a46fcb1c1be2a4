function onOpen() {
  var ui = SpreadsheetApp.getUi();
  ui.createMenu('Pool').addItem('Fill', 'fill').addToUi();
}

function fill() {
  var ids = [4384670, 4344423, 4384633, 4393036, 76];
  for (var i = 0; i < ids.length; i++) {
    sheet.getRange(i + 2, 3).setValue(ids[i]);
  }
}
