CREATE TABLE pool (label TEXT PRIMARY KEY, beatmap INTEGER NOT NULL);
INSERT INTO pool (label, beatmap) VALUES ('NM1', 77);
INSERT INTO pool (label, beatmap) VALUES ('NM2', 4384670);
INSERT INTO pool (label, beatmap) VALUES ('HD1', 4393042);
