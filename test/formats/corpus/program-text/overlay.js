"use strict";
let beatmaps = [
  { beatmapId: 4384670, mods: "NM" },
  { beatmapId: 2809623, mods: "HD" },
];
function draw(map) { document.getElementById("map").innerText = map.mods; }
beatmaps.forEach(draw);
