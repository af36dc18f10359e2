PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE analyses (
	table_id VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE component_owners (
	digest VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	added FLOAT NOT NULL, origin BLOB, 
	PRIMARY KEY (digest, person), 
	FOREIGN KEY(digest) REFERENCES component_sets (digest), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE component_sets (
	digest VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	added FLOAT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE events (
	table_id VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (table_id, version), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID

;
CREATE TABLE mutes (
	table_id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	muted VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, person, muted), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE outbox (
	table_id VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	word INTEGER NOT NULL, 
	way VARCHAR NOT NULL, 
	due FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	batch VARCHAR, 
	PRIMARY KEY (table_id, version, word, way), 
	FOREIGN KEY(table_id) REFERENCES tables (id), 
	FOREIGN KEY(way) REFERENCES ways (id)
);
CREATE TABLE passkeys (
	id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	credential BLOB NOT NULL, 
	public_key BLOB NOT NULL, 
	count INTEGER NOT NULL, 
	added FLOAT NOT NULL, 
	used FLOAT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(person) REFERENCES people (id), 
	UNIQUE (credential)
);
CREATE TABLE people (
	id VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	language VARCHAR NOT NULL, 
	preferences BLOB NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE plans (
	table_id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	data BLOB NOT NULL, 
	fate BLOB, 
	PRIMARY KEY (table_id, person, number), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE reactions (
	table_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	person VARCHAR NOT NULL, 
	sign VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, number, person, sign), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE recovery_codes (
	place VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	code_hash BLOB NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (place), 
	UNIQUE (person), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE results (
	table_id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	seats INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE secrets (
	table_id VARCHAR NOT NULL, 
	secret BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE sessions (
	token_hash BLOB NOT NULL, 
	person VARCHAR NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (token_hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE settings (
	name VARCHAR NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE sitters (
	table_id VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	person VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE tables (
	id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	created FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	version INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	summary BLOB NOT NULL, origin BLOB, due FLOAT, deal VARCHAR, 
	PRIMARY KEY (id)
);
CREATE TABLE ways (
	id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	address BLOB NOT NULL, 
	state VARCHAR NOT NULL, 
	added FLOAT NOT NULL, 
	sent FLOAT, 
	failed FLOAT, 
	reason BLOB, 
	PRIMARY KEY (id), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE words (
	table_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	room VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	seat INTEGER, 
	name VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	text VARCHAR, 
	PRIMARY KEY (table_id, number), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE INDEX ix_passkeys_person ON passkeys (person);
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE INDEX ix_ways_person ON ways (person);
CREATE INDEX outbox_by_way ON outbox (way, due);
CREATE INDEX plans_by_person ON plans (person);
CREATE INDEX results_by_game ON results (game, seats);
CREATE INDEX sitters_by_person ON sitters (person);
CREATE INDEX tables_by_deal ON tables (deal);
CREATE INDEX tables_by_due ON tables (due);
CREATE INDEX tables_by_status ON tables (status, changed);
CREATE INDEX words_by_person ON words (person);
INSERT INTO alembic_version VALUES ('0010');
INSERT INTO analyses VALUES ('8yA0OeF2FQgc', CAST('{"moves":117,"won":[1.0,0.0,0.0],"decisions":[{"number":1,"seat":0,"move":"build red Le Mans NE","won":[0.5,0.25,0.25],"doubt":[0.05,0.05,0.05],"best":"build red Le Mans NE","best_won":0.5,"best_doubt":0.04,"games":240,"before":[10.5,11.0,9.0],"after":[10.25,11.5,9.0],"line":[],"seed":0}],"points":[93,86,75],"drew":[1],"seat":null}' AS BLOB));
INSERT INTO component_owners VALUES ('14e36e49956d9386e079d6ce165707ecc3716f5524be9de91aae4cf78639614b', 'RcgKMv6-OMg2', 1767225602.25, NULL);
INSERT INTO component_owners VALUES ('afeac853305d1e233956fe58779cfee5aae6ecd4e8123ea82687531370c66612', 'RcgKMv6-OMg2', 1767225602.5, NULL);
INSERT INTO component_owners VALUES ('e5760ee7c6d7c5077246e898e230401b2cd1e63bc55325752b80bc2955365799', 'RcgKMv6-OMg2', 1767225602.75, NULL);
INSERT INTO component_sets VALUES ('14e36e49956d9386e079d6ce165707ecc3716f5524be9de91aae4cf78639614b', 'paris-connection', '# Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "ada-1"
title = { en = "Our map of France", de = "Unsere Frankreichkarte", fr = "Notre carte de France", nl = "Onze kaart van Frankrijk" }

# The id is the colour of the locomotives and the word in moves. Three of these colours are also colours of cities, so
# people read a gemstone or metal, a letter and a pattern. `ink` is for paper, `ink_dark` for the dark theme, where
# Onyx is drawn white on black. Both sets were chosen to stay apart for colour-blind eyes, at 3:1 to the board or more.

[[companies]]
id = "purple"
letter = "A"
pattern = "waves"
ink = "#8358b5"
ink_dark = "#964ec4"
name = { en = "Amethyst", de = "Amethyst", fr = "Améthyste", nl = "Amethist" }

[[companies]]
id = "brown"
letter = "B"
pattern = "grid"
ink = "#532c04"
ink_dark = "#ba9982"
name = { en = "Bronze", de = "Bronze", fr = "Bronze", nl = "Brons" }

[[companies]]
id = "black"
letter = "O"
pattern = "solid"
ink = "#181716"
ink_dark = "#efeeed"
name = { en = "Onyx", de = "Onyx", fr = "Onyx", nl = "Onyx" }

[[companies]]
id = "yellow"
letter = "T"
pattern = "dots"
ink = "#a87e1f"
ink_dark = "#f8c741"
name = { en = "Topaz", de = "Topas", fr = "Topaze", nl = "Topaas" }

[[companies]]
id = "blue"
letter = "S"
pattern = "stripes"
ink = "#04255c"
ink_dark = "#53b8fd"
name = { en = "Sapphire", de = "Saphir", fr = "Saphir", nl = "Saffier" }

[[companies]]
id = "red"
letter = "R"
pattern = "chevrons"
ink = "#a7373a"
ink_dark = "#ba3f31"
name = { en = "Ruby", de = "Rubin", fr = "Rubis", nl = "Robijn" }

# Of the locomotives of one company, one marks its value and one stands on its station; the others go into the bag.
[box]
locomotives = 33
value_track = 30  # the last number printed on the track; values go on above it

# One block for each number of players: the locomotives each player draws, and how many may be held without a penalty.
[[players]]
players = 3
portfolio = 10
limit = 20

[[players]]
players = 4
portfolio = 8
limit = 15

[[players]]
players = 5
portfolio = 6
limit = 12

[[players]]
players = 6
portfolio = 5
limit = 10

[turn]
most_locomotives = 5  # placed in one turn
most_taken = 2        # taken in one trade, for one given
rural_capacity = 2    # of different companies
city_capacity = 1
penalty = 20          # points for each locomotive above the limit

# The id is the colour printed on the city.
[[city_classes]]
id = "beige"
value = 1
ends_game = false
name = { en = "small city", de = "kleine Stadt", fr = "petite ville", nl = "kleine stad" }

[[city_classes]]
id = "purple"
value = 2
ends_game = false
name = { en = "medium city", de = "mittlere Stadt", fr = "ville moyenne", nl = "middelgrote stad" }

[[city_classes]]
id = "red"
value = 3
ends_game = false
name = { en = "big city", de = "große Stadt", fr = "grande ville", nl = "grote stad" }

[[city_classes]]
id = "blue"
value = 4
ends_game = true
name = { en = "port of Marseille", de = "Hafen von Marseille", fr = "port de Marseille", nl = "haven van Marseille" }

# Which hexes exist. They stand on a corner; the hexes of odd rows are shifted half a hex to the right.
[[rows]]
row = 1
columns = [8, 9]

[[rows]]
row = 2
columns = [8, 9, 10, 11]

[[rows]]
row = 3
columns = [4, 6, 7, 8, 9, 10, 11, 12]

[[rows]]
row = 4
columns = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

[[rows]]
row = 5
columns = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 6
columns = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 7
columns = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 8
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 9
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 10
columns = [6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 11
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 12
columns = [6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 13
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 14
columns = [5, 6, 7, 8, 9, 10, 12, 13]

[[rows]]
row = 15
columns = [7, 8, 9]

[tower]
column = 9
row = 4
name = { en = "Eiffel Tower", de = "Eiffelturm", fr = "tour Eiffel", nl = "Eiffeltoren" }

# One company starts on each, at random; the others may not enter, unless the table says so. Locomotives from each to
# Marseille, over no hatched border, station or tower:
# Lyon and Austerlitz 9, Est 10, Montparnasse 11, Nord 12, Saint-Lazare 13
[[stations]]
id = "gare-du-nord"
column = 9
row = 3
name = { en = "Gare du Nord", de = "Gare du Nord", fr = "Gare du Nord", nl = "Gare du Nord" }

[[stations]]
id = "gare-de-l-est"
column = 10
row = 4
name = { en = "Gare de l’Est", de = "Gare de l’Est", fr = "Gare de l’Est", nl = "Gare de l’Est" }

[[stations]]
id = "gare-de-lyon"
column = 9
row = 5
name = { en = "Gare de Lyon", de = "Gare de Lyon", fr = "Gare de Lyon", nl = "Gare de Lyon" }

[[stations]]
id = "gare-d-austerlitz"
column = 8
row = 5
name = { en = "Gare d’Austerlitz", de = "Gare d’Austerlitz", fr = "Gare d’Austerlitz", nl = "Gare d’Austerlitz" }

[[stations]]
id = "gare-montparnasse"
column = 8
row = 4
name = { en = "Gare Montparnasse", de = "Gare Montparnasse", fr = "Gare Montparnasse", nl = "Gare Montparnasse" }

[[stations]]
id = "gare-saint-lazare"
column = 8
row = 3
name = { en = "Gare Saint-Lazare", de = "Gare Saint-Lazare", fr = "Gare Saint-Lazare", nl = "Gare Saint-Lazare" }

[[cities]]
id = "calais"
column = 8
row = 1
city_class = "beige"
name = { en = "Calais", de = "Calais", fr = "Calais", nl = "Calais" }

[[cities]]
id = "lille"
column = 9
row = 1
city_class = "purple"
name = { en = "Lille", de = "Lille", fr = "Lille", nl = "Rijsel" }

[[cities]]
id = "amiens"
column = 9
row = 2
city_class = "beige"
name = { en = "Amiens", de = "Amiens", fr = "Amiens", nl = "Amiens" }

[[cities]]
id = "cherbourg"
column = 4
row = 3
city_class = "beige"
name = { en = "Cherbourg", de = "Cherbourg", fr = "Cherbourg", nl = "Cherbourg" }

[[cities]]
id = "le-havre"
column = 6
row = 3
city_class = "beige"
name = { en = "Le Havre", de = "Le Havre", fr = "Le Havre", nl = "Le Havre" }

[[cities]]
id = "rouen"
column = 7
row = 3
city_class = "beige"
name = { en = "Rouen", de = "Rouen", fr = "Rouen", nl = "Rouen" }

[[cities]]
id = "reims"
column = 10
row = 3
city_class = "beige"
name = { en = "Reims", de = "Reims", fr = "Reims", nl = "Reims" }

[[cities]]
id = "metz"
column = 12
row = 3
city_class = "beige"
name = { en = "Metz", de = "Metz", fr = "Metz", nl = "Metz" }

[[cities]]
id = "saint-malo"
column = 4
row = 4
city_class = "beige"
name = { en = "Saint-Malo", de = "Saint-Malo", fr = "Saint-Malo", nl = "Saint-Malo" }

[[cities]]
id = "caen"
column = 6
row = 4
city_class = "beige"
name = { en = "Caen", de = "Caen", fr = "Caen", nl = "Caen" }

[[cities]]
id = "nancy"
column = 13
row = 4
city_class = "beige"
name = { en = "Nancy", de = "Nancy", fr = "Nancy", nl = "Nancy" }

[[cities]]
id = "strasbourg"
column = 15
row = 4
city_class = "red"
name = { en = "Strasbourg", de = "Straßburg", fr = "Strasbourg", nl = "Straatsburg" }

[[cities]]
id = "brest"
column = 1
row = 5
city_class = "red"
name = { en = "Brest", de = "Brest", fr = "Brest", nl = "Brest" }

[[cities]]
id = "rennes"
column = 4
row = 5
city_class = "purple"
name = { en = "Rennes", de = "Rennes", fr = "Rennes", nl = "Rennes" }

[[cities]]
id = "troyes"
column = 10
row = 5
city_class = "beige"
name = { en = "Troyes", de = "Troyes", fr = "Troyes", nl = "Troyes" }

[[cities]]
id = "lorient"
column = 3
row = 6
city_class = "beige"
name = { en = "Lorient", de = "Lorient", fr = "Lorient", nl = "Lorient" }

[[cities]]
id = "angers"
column = 6
row = 6
city_class = "beige"
name = { en = "Angers", de = "Angers", fr = "Angers", nl = "Angers" }

[[cities]]
id = "le-mans"
column = 7
row = 6
city_class = "beige"
name = { en = "Le Mans", de = "Le Mans", fr = "Le Mans", nl = "Le Mans" }

[[cities]]
id = "orleans"
column = 9
row = 6
city_class = "beige"
name = { en = "Orléans", de = "Orléans", fr = "Orléans", nl = "Orléans" }

[[cities]]
id = "mulhouse"
column = 14
row = 6
city_class = "purple"
name = { en = "Mulhouse", de = "Mülhausen", fr = "Mulhouse", nl = "Mulhouse" }

[[cities]]
id = "nantes"
column = 4
row = 7
city_class = "purple"
name = { en = "Nantes", de = "Nantes", fr = "Nantes", nl = "Nantes" }

[[cities]]
id = "tours"
column = 7
row = 7
city_class = "beige"
name = { en = "Tours", de = "Tours", fr = "Tours", nl = "Tours" }

[[cities]]
id = "bourges"
column = 9
row = 7
city_class = "beige"
name = { en = "Bourges", de = "Bourges", fr = "Bourges", nl = "Bourges" }

[[cities]]
id = "dijon"
column = 11
row = 7
city_class = "beige"
name = { en = "Dijon", de = "Dijon", fr = "Dijon", nl = "Dijon" }

[[cities]]
id = "besancon"
column = 12
row = 7
city_class = "purple"
name = { en = "Besançon", de = "Besançon", fr = "Besançon", nl = "Besançon" }

[[cities]]
id = "poitiers"
column = 7
row = 8
city_class = "beige"
name = { en = "Poitiers", de = "Poitiers", fr = "Poitiers", nl = "Poitiers" }

[[cities]]
id = "la-rochelle"
column = 5
row = 9
city_class = "beige"
name = { en = "La Rochelle", de = "La Rochelle", fr = "La Rochelle", nl = "La Rochelle" }

[[cities]]
id = "limoges"
column = 8
row = 10
city_class = "purple"
name = { en = "Limoges", de = "Limoges", fr = "Limoges", nl = "Limoges" }

[[cities]]
id = "clermont-ferrand"
column = 10
row = 10
city_class = "purple"
name = { en = "Clermont-Ferrand", de = "Clermont-Ferrand", fr = "Clermont-Ferrand", nl = "Clermont-Ferrand" }

[[cities]]
id = "saint-etienne"
column = 11
row = 10
city_class = "purple"
name = { en = "Saint-Étienne", de = "Saint-Étienne", fr = "Saint-Étienne", nl = "Saint-Étienne" }

[[cities]]
id = "lyon"
column = 12
row = 10
city_class = "red"
name = { en = "Lyon", de = "Lyon", fr = "Lyon", nl = "Lyon" }

[[cities]]
id = "bordeaux"
column = 5
row = 11
city_class = "red"
name = { en = "Bordeaux", de = "Bordeaux", fr = "Bordeaux", nl = "Bordeaux" }

[[cities]]
id = "grenoble"
column = 12
row = 11
city_class = "purple"
name = { en = "Grenoble", de = "Grenoble", fr = "Grenoble", nl = "Grenoble" }

[[cities]]
id = "rodez"
column = 9
row = 12
city_class = "beige"
name = { en = "Rodez", de = "Rodez", fr = "Rodez", nl = "Rodez" }

[[cities]]
id = "nimes"
column = 11
row = 13
city_class = "purple"
name = { en = "Nîmes", de = "Nîmes", fr = "Nîmes", nl = "Nîmes" }

[[cities]]
id = "nice"
column = 14
row = 13
city_class = "red"
name = { en = "Nice", de = "Nizza", fr = "Nice", nl = "Nice" }

[[cities]]
id = "bayonne"
column = 5
row = 14
city_class = "purple"
name = { en = "Bayonne", de = "Bayonne", fr = "Bayonne", nl = "Bayonne" }

[[cities]]
id = "toulouse"
column = 8
row = 14
city_class = "red"
name = { en = "Toulouse", de = "Toulouse", fr = "Toulouse", nl = "Toulouse" }

[[cities]]
id = "beziers"
column = 10
row = 14
city_class = "purple"
name = { en = "Béziers", de = "Béziers", fr = "Béziers", nl = "Béziers" }

[[cities]]
id = "marseille"
column = 12
row = 14
city_class = "blue"
name = { en = "Marseille", de = "Marseille", fr = "Marseille", nl = "Marseille" }

[[cities]]
id = "toulon"
column = 13
row = 14
city_class = "red"
name = { en = "Toulon", de = "Toulon", fr = "Toulon", nl = "Toulon" }

[[cities]]
id = "perpignan"
column = 9
row = 15
city_class = "red"
name = { en = "Perpignan", de = "Perpignan", fr = "Perpignan", nl = "Perpignan" }

# The red and white hatched borders: pairs of hexes, each as [column, row], that lie side by side and are not adjacent.
[[borders]]
id = "vosges"
name = { en = "Vosges", de = "Vogesen", fr = "Vosges", nl = "Vogezen" }
between = [
  [[13, 5], [14, 5]],
  [[13, 5], [14, 6]],
  [[14, 4], [14, 5]],
]

[[borders]]
id = "jura"
name = { en = "Jura", de = "Jura", fr = "Jura", nl = "Jura" }
between = [
  [[13, 8], [13, 9]],
  [[13, 8], [12, 9]],
]

[[borders]]
id = "alps"
name = { en = "Alps", de = "Alpen", fr = "Alpes", nl = "Alpen" }
between = [
  [[13, 10], [13, 11]],
  [[12, 11], [13, 11]],
  [[12, 11], [13, 12]],
  [[12, 10], [13, 10]],
]

[[borders]]
id = "auvergne"
name = { en = "Auvergne mountains", de = "Bergland der Auvergne", fr = "monts d’Auvergne", nl = "bergen van Auvergne" }
between = [
  [[9, 10], [10, 10]],
  [[9, 11], [8, 11]],
  [[10, 10], [11, 10]],
]

[[borders]]
id = "cevennes"
name = { en = "Cévennes", de = "Cevennen", fr = "Cévennes", nl = "Cevennen" }
between = [
  [[10, 12], [11, 12]],
  [[10, 11], [11, 12]],
  [[10, 11], [11, 11]],
  [[10, 12], [10, 13]],
  [[9, 13], [10, 13]],
  [[9, 13], [10, 14]],
]

[[borders]]
id = "pyrenees"
name = { en = "Pyrenees", de = "Pyrenäen", fr = "Pyrénées", nl = "Pyreneeën" }
between = [
  [[7, 14], [7, 15]],
  [[8, 14], [7, 15]],
  [[8, 15], [9, 15]],
]

# Where the values come from. `of` names a value, or all values below it; * stands for one step. The most specific wins.
[[provenance]]
of = "game"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "companies"
mark = "reconstructed"
evidence = "names, letters, patterns and inks are ours; only the colours are the box''s"

[[provenance]]
of = "companies.*.id"
mark = "reported"
evidence = "the six colours: minaspeltips.se; github.com/ZeroOne3010/paris-connection-helper; github.com/AnthonyB28/Paris-Connection"

[[provenance]]
of = "box"
mark = "printed"
evidence = "198 locomotives, 33 of each company; steps 2 to 4 of the set-up: https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "box.value_track"
mark = "reported"
evidence = "a track up to 30: a review of 2011 (rlyehreviews); github.com/ZeroOne3010/paris-connection-helper"

[[provenance]]
of = "players"
mark = "printed"
evidence = "game help of Board Game Arena; https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "turn"
mark = "printed"
evidence = "game help of Board Game Arena; https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "city_classes"
mark = "printed"
evidence = "game help of Board Game Arena: beige 1, purple 2, red 3, blue 4 (Marseille)"

[[provenance]]
of = "city_classes.*.name"
mark = "reconstructed"
evidence = "ours: a word for each value, so that nobody takes a class for a company"

[[provenance]]
of = "rows"
mark = "reconstructed"
evidence = "the printed map is not public; ours is an equal-distance map of France, 71 km from hex to hex"

[[provenance]]
of = "tower"
mark = "printed"
evidence = "game help of Board Game Arena: six stations round the Eiffel Tower, which nobody enters"

[[provenance]]
of = "tower.column"
mark = "reconstructed"
evidence = "our own map"

[[provenance]]
of = "tower.row"
mark = "reconstructed"
evidence = "our own map"

[[provenance]]
of = "stations"
mark = "reconstructed"
evidence = "our own map; which station lies on which side of the tower follows the city of Paris"

[[provenance]]
of = "stations.*.id"
mark = "reported"
evidence = "https://nl.doc.boardgamearena.com/index.php?title=Gamehelpparisconnection&oldid=342"

[[provenance]]
of = "stations.*.name"
mark = "reported"
evidence = "https://nl.doc.boardgamearena.com/index.php?title=Gamehelpparisconnection&oldid=342"

[[provenance]]
of = "cities"
mark = "reconstructed"
evidence = "our own map: the larger cities of France in their places, worth more the farther from Paris"

[[provenance]]
of = "cities.beziers.name"
mark = "reported"
evidence = "named as a city of the board: jedisjeux.net, a session report (2683)"

[[provenance]]
of = "cities.nimes.name"
mark = "reported"
evidence = "named as a city of the board: jedisjeux.net, a session report (2683)"

[[provenance]]
of = "cities.marseille.name"
mark = "printed"
evidence = "game help of Board Game Arena: the blue city"

[[provenance]]
of = "cities.marseille.city_class"
mark = "printed"
evidence = "game help of Board Game Arena: the only blue city"

[[provenance]]
of = "borders"
mark = "reconstructed"
evidence = "hatched borders are printed on the board, where they run is not public; ours follow the mountains"
', 1767225602.25);
INSERT INTO component_sets VALUES ('afeac853305d1e233956fe58779cfee5aae6ecd4e8123ea82687531370c66612', 'era-of-inventions', '# Era of Inventions: the components, set "proposal-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).
# Most printed values of the cards and the board are not public: ours were balanced by simulation.

game = "era-of-inventions"
name = "ada-1"
title = { en = "Our reconstruction", de = "Unsere Rekonstruktion", fr = "Notre reconstitution", nl = "Onze reconstructie" }

# What stands in costs and yields: five kinds of cubes, coins and development stones. `total` is the worth of all pieces
# in the box, large ones counted as 3. `short` is a letter for them, not drawn.

[[goods]]
id = "wood"
short = { en = "W", de = "H", fr = "B", nl = "H" }
total = 36
name = { en = "wood", de = "Holz", fr = "bois", nl = "hout" }
many = { en = "wood", de = "Holz", fr = "bois", nl = "hout" }

[[goods]]
id = "coal"
short = { en = "C", de = "K", fr = "C", nl = "S" }
total = 36
name = { en = "coal", de = "Kohle", fr = "charbon", nl = "steenkool" }
many = { en = "coal", de = "Kohle", fr = "charbon", nl = "steenkool" }

[[goods]]
id = "metal"
short = { en = "M", de = "M", fr = "M", nl = "M" }
total = 30
name = { en = "metal", de = "Metall", fr = "métal", nl = "metaal" }
many = { en = "metal", de = "Metall", fr = "métal", nl = "metaal" }

[[goods]]
id = "technology"
short = { en = "T", de = "T", fr = "T", nl = "T" }
total = 30
name = { en = "technology", de = "Technik", fr = "technique", nl = "techniek" }
many = { en = "technology", de = "Technik", fr = "technique", nl = "techniek" }

[[goods]]
id = "tool"
short = { en = "L", de = "W", fr = "O", nl = "G" }
total = 30
name = { en = "tool", de = "Werkzeug", fr = "outil", nl = "gereedschap" }
many = { en = "tools", de = "Werkzeug", fr = "outils", nl = "gereedschap" }

[[goods]]
id = "coin"
short = { en = "G", de = "G", fr = "P", nl = "U" }
total = 40
name = { en = "coin", de = "Münze", fr = "pièce d’or", nl = "gouden munt" }
many = { en = "coins", de = "Münzen", fr = "pièces d’or", nl = "gouden munten" }

[[goods]]
id = "stone"
short = { en = "D", de = "E", fr = "D", nl = "O" }
total = 30
name = { en = "development stone", de = "Entwicklungsstein", fr = "point de développement", nl = "ontwikkelingsblokje" }
many = { en = "development stones", de = "Entwicklungssteine", fr = "points de développement", nl = "ontwikkelingsblokjes" }

# The players'' colours, in the order of the seats. `short` is a letter for them, not drawn; `ink` is the colour on paper,
# `ink_dark` that of the dark theme.

[[colours]]
id = "brown"
short = { en = "N", de = "N", fr = "M", nl = "N" }
pattern = "solid"
ink = "#5b3a22"
ink_dark = "#bb9470"
name = { en = "Brown", de = "Braun", fr = "Marron", nl = "Bruin" }

[[colours]]
id = "green"
short = { en = "G", de = "G", fr = "V", nl = "G" }
pattern = "stripes"
ink = "#2c6a45"
ink_dark = "#7cc496"
name = { en = "Green", de = "Grün", fr = "Vert", nl = "Groen" }

[[colours]]
id = "yellow"
short = { en = "Y", de = "L", fr = "J", nl = "L" }
pattern = "dots"
ink = "#a47c00"
ink_dark = "#edd255"
name = { en = "Yellow", de = "Gelb", fr = "Jaune", nl = "Geel" }

[[colours]]
id = "orange"
short = { en = "O", de = "O", fr = "O", nl = "O" }
pattern = "chevrons"
ink = "#bd4b17"
ink_dark = "#f29a58"
name = { en = "Orange", de = "Orange", fr = "Orange", nl = "Oranje" }

[[colours]]
id = "blue"
short = { en = "B", de = "B", fr = "B", nl = "B" }
pattern = "grid"
ink = "#1f4f8f"
ink_dark = "#8db8ee"
name = { en = "Blue", de = "Blau", fr = "Bleu", nl = "Blauw" }

[box]
bonus_discs = 20
invention_markers = 15  # for each player

# One block for each number of players: action discs and bonus discs of each player, and the rounds of the game.
[[players]]
players = 3
action_discs = 3
bonus_discs = 3
rounds = 9

[[players]]
players = 4
action_discs = 2
bonus_discs = 5
rounds = 8

[[players]]
players = 5
action_discs = 2
bonus_discs = 1
rounds = 10

[start]
goods = { wood = 1, coal = 3, metal = 1, technology = 1, tool = 1, coin = 2, stone = 1 }

[limits]
factories = 3         # built in one action
loads = 3             # bought in one action
load_price = 1        # coins for one load
cards = 3             # inventions produced in one action
exchanges = 5         # in one action
stones = 7            # paid in one action for developing
patents = 2           # registered in one action

# How many cards leave each row at the end of a round: those on the spaces with an arrow, at its far end.
[rows]
inventions_leave = 3
factories_leave = 3

# The six action fields, in the order of the rules.

[[actions]]
id = "build-factories"
letter = "A"
name = { en = "Build factories", de = "Fabriken bauen", fr = "Construction d’usines", nl = "Fabrieken bouwen" }

[[actions]]
id = "produce-resources"
letter = "B"
name = { en = "Produce resources", de = "Rohstoffe produzieren", fr = "Production des usines", nl = "Grondstoffen produceren" }

[[actions]]
id = "buy-resources"
letter = "C"
name = { en = "Buy resources", de = "Rohstoffe kaufen", fr = "Achat de matières premières", nl = "Grondstoffen kopen" }

[[actions]]
id = "produce-inventions"
letter = "D"
name = { en = "Produce inventions", de = "Erfindungen produzieren", fr = "Production d’inventions", nl = "Uitvindingen produceren" }

[[actions]]
id = "exchange-market"
letter = "E"
name = { en = "Exchange market", de = "Tauschmarkt", fr = "Marché des changes", nl = "Ruilmarkt" }

[[actions]]
id = "develop-or-patent"
letter = "F"
name = { en = "Develop or patent", de = "Erfinden oder patentieren", fr = "Développement ou brevets", nl = "Ontwikkelen of patenteren" }

# The exchange market: three boxes, each used at most `most` times in one action. A line gives and gets what stands
# there; `any` is any mix of cubes and coins, `other` one cube or coin of a kind that was not given.

[[market]]
id = "upper"
most = 3
name = { en = "upper box", de = "oberes Feld", fr = "case du haut", nl = "bovenste vak" }

[[market.lines]]
id = "coins-for-a-stone"
give = { coin = 2 }
get = { stone = 1 }

[[market.lines]]
id = "a-stone-for-coins"
give = { stone = 1 }
get = { coin = 2 }

[[market]]
id = "middle"
most = 3
name = { en = "middle box", de = "mittleres Feld", fr = "case du milieu", nl = "middelste vak" }

[[market.lines]]
id = "coins-for-influence"
give = { coin = 2 }
get = { influence = 1 }

[[market.lines]]
id = "a-stone-for-influence"
give = { stone = 1 }
get = { influence = 1 }

[[market]]
id = "lower"
most = 3
name = { en = "lower box", de = "unteres Feld", fr = "case du bas", nl = "onderste vak" }

[[market.lines]]
id = "two-for-another"
give = { any = 2 }
get = { other = 1 }

[[market.lines]]
id = "coins-for-a-bonus-disc"
give = { coin = 2 }
get = { bonus_disc = 1 }

# The steps of the patent track: the coins each costs and the influence it gives.

[[patent_steps]]
step = 1
coins = 1
influence = 1

[[patent_steps]]
step = 2
coins = 2
influence = 1

[[patent_steps]]
step = 3
coins = 3
influence = 2

[[patent_steps]]
step = 4
coins = 4
influence = 3

[[patent_steps]]
step = 5
coins = 5
influence = 4

[[patent_steps]]
step = 6
coins = 6
influence = 5

# The influence track, from 0; beyond its last space it begins again. A space with a symbol gives one of what it shows.
[track]
spaces = 100

[[symbols]]
space = 2
good = "coal"

[[symbols]]
space = 4
good = "technology"

[[symbols]]
space = 6
good = "tool"

[[symbols]]
space = 7
good = "metal"

[[symbols]]
space = 9
good = "coin"

[[symbols]]
space = 11
good = "wood"

[[symbols]]
space = 14
good = "coal"

[[symbols]]
space = 16
good = "technology"

[[symbols]]
space = 18
good = "tool"

[[symbols]]
space = 19
good = "metal"

[[symbols]]
space = 21
good = "coin"

[[symbols]]
space = 23
good = "wood"

[[symbols]]
space = 26
good = "coal"

[[symbols]]
space = 28
good = "technology"

[[symbols]]
space = 30
good = "tool"

[[symbols]]
space = 31
good = "metal"

[[symbols]]
space = 33
good = "coin"

[[symbols]]
space = 35
good = "wood"

[[symbols]]
space = 38
good = "coal"

[[symbols]]
space = 40
good = "technology"

[[symbols]]
space = 42
good = "tool"

[[symbols]]
space = 43
good = "metal"

[[symbols]]
space = 45
good = "coin"

[[symbols]]
space = 47
good = "wood"

[[symbols]]
space = 50
good = "coal"

[[symbols]]
space = 52
good = "technology"

[[symbols]]
space = 54
good = "tool"

[[symbols]]
space = 55
good = "metal"

[[symbols]]
space = 57
good = "coin"

[[symbols]]
space = 59
good = "wood"

[[symbols]]
space = 62
good = "coal"

[[symbols]]
space = 64
good = "technology"

[[symbols]]
space = 66
good = "tool"

[[symbols]]
space = 67
good = "metal"

[[symbols]]
space = 69
good = "coin"

[[symbols]]
space = 71
good = "wood"

[[symbols]]
space = 74
good = "coal"

[[symbols]]
space = 76
good = "technology"

[[symbols]]
space = 78
good = "tool"

[[symbols]]
space = 79
good = "metal"

[[symbols]]
space = 81
good = "coin"

[[symbols]]
space = 83
good = "wood"

[[symbols]]
space = 86
good = "coal"

[[symbols]]
space = 88
good = "technology"

[[symbols]]
space = 90
good = "tool"

[[symbols]]
space = 91
good = "metal"

[[symbols]]
space = 93
good = "coin"

[[symbols]]
space = 95
good = "wood"

[[symbols]]
space = 98
good = "coal"

# Ships and warehouses: what each holds when full anew, and what is added when cubes are left.

[[stores]]
id = "coal-warehouse-1"
kind = "warehouse"
good = "coal"
fill = 3
add = 1
name = { en = "coal warehouse 1", de = "Kohle-Lagerhalle 1", fr = "maison de stockage du charbon 1", nl = "steenkoolloods 1" }

[[stores]]
id = "coal-warehouse-2"
kind = "warehouse"
good = "coal"
fill = 3
add = 1
name = { en = "coal warehouse 2", de = "Kohle-Lagerhalle 2", fr = "maison de stockage du charbon 2", nl = "steenkoolloods 2" }

[[stores]]
id = "wood-warehouse-1"
kind = "warehouse"
good = "wood"
fill = 2
add = 1
name = { en = "wood warehouse 1", de = "Holz-Lagerhalle 1", fr = "maison de stockage du bois 1", nl = "houtloods 1" }

[[stores]]
id = "wood-warehouse-2"
kind = "warehouse"
good = "wood"
fill = 2
add = 1
name = { en = "wood warehouse 2", de = "Holz-Lagerhalle 2", fr = "maison de stockage du bois 2", nl = "houtloods 2" }

[[stores]]
id = "metal-ship"
kind = "ship"
good = "metal"
fill = 2
add = 1
name = { en = "metal ship", de = "Metallschiff", fr = "navire de métal", nl = "metaalschip" }

[[stores]]
id = "technology-ship"
kind = "ship"
good = "technology"
fill = 2
add = 1
name = { en = "technology ship", de = "Technikschiff", fr = "navire de technique", nl = "techniekschip" }

[[stores]]
id = "tool-ship"
kind = "ship"
good = "tool"
fill = 2
add = 1
name = { en = "tool ship", de = "Werkzeugschiff", fr = "navire d’outils", nl = "gereedschapsschip" }

# The nine inventions, cheapest first. Of each field: the development stones it costs, the influence for inventing it, and
# what its holder is paid when somebody else produces it.

[[inventions]]
id = "cash-register"
name = { en = "cash register", de = "Kasse", fr = "caisse enregistreuse", nl = "kassa" }
gold = { stones = 1, influence = 1, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "sewing-machine"
name = { en = "sewing machine", de = "Nähmaschine", fr = "machine à coudre", nl = "naaimachine" }
gold = { stones = 1, influence = 1, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "typewriter"
name = { en = "typewriter", de = "Schreibmaschine", fr = "machine à écrire", nl = "typemachine" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "telephone"
name = { en = "telephone", de = "Telefon", fr = "téléphone", nl = "telefoon" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 2, influence = 2, reward = { coin = 2 } }

[[inventions]]
id = "gramophone"
name = { en = "gramophone", de = "Grammofon", fr = "tourne-disque", nl = "grammofoon" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "camera"
name = { en = "camera", de = "Fotoapparat", fr = "appareil photo", nl = "fotocamera" }
gold = { stones = 3, influence = 5, reward = { influence = 1 } }
silver = { stones = 2, influence = 3, reward = { coin = 1 } }

[[inventions]]
id = "car"
name = { en = "car", de = "Auto", fr = "voiture", nl = "auto" }
gold = { stones = 3, influence = 4, reward = { influence = 2 } }
silver = { stones = 2, influence = 3, reward = { coin = 2 } }

[[inventions]]
id = "steam-locomotive"
name = { en = "steam locomotive", de = "Dampflokomotive", fr = "train à vapeur", nl = "stoomtrein" }
gold = { stones = 4, influence = 6, reward = { influence = 2 } }
silver = { stones = 3, influence = 4, reward = { coin = 2 } }

[[inventions]]
id = "aeroplane"
name = { en = "aeroplane", de = "Flugzeug", fr = "avion", nl = "vliegtuig" }
gold = { stones = 5, influence = 7, reward = { influence = 3 } }
silver = { stones = 3, influence = 4, reward = { coin = 3 } }

# The 27 invention cards: what producing one costs and yields. `any` are the cubes with a "?".

[[invention_cards]]
id = "cash-register-a"
invention = "cash-register"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "cash-register-b"
invention = "cash-register"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "cash-register-counterfeit"
invention = "cash-register"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-a"
invention = "sewing-machine"
kind = "official"
cost = { coal = 1, metal = 1, tool = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-b"
invention = "sewing-machine"
kind = "official"
cost = { coal = 1, metal = 1, tool = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-counterfeit"
invention = "sewing-machine"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { influence = 2 }

[[invention_cards]]
id = "typewriter-a"
invention = "typewriter"
kind = "official"
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "typewriter-b"
invention = "typewriter"
kind = "official"
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "typewriter-counterfeit"
invention = "typewriter"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "telephone-a"
invention = "telephone"
kind = "official"
cost = { coal = 2, metal = 1, technology = 1, tool = 1 }
gain = { influence = 3 }

[[invention_cards]]
id = "telephone-b"
invention = "telephone"
kind = "official"
cost = { coal = 2, metal = 1, technology = 1, tool = 1 }
gain = { influence = 3 }

[[invention_cards]]
id = "telephone-counterfeit"
invention = "telephone"
kind = "counterfeit"
cost = { coal = 2, any = 3 }
gain = { influence = 3 }

[[invention_cards]]
id = "gramophone-a"
invention = "gramophone"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "gramophone-b"
invention = "gramophone"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "gramophone-counterfeit"
invention = "gramophone"
kind = "counterfeit"
cost = { coal = 1, any = 3 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "camera-a"
invention = "camera"
kind = "official"
cost = { coal = 2, metal = 1, technology = 2 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "camera-b"
invention = "camera"
kind = "official"
cost = { coal = 2, metal = 1, technology = 2 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "camera-counterfeit"
invention = "camera"
kind = "counterfeit"
cost = { coal = 2, any = 3 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "car-a"
invention = "car"
kind = "official"
cost = { coal = 2, metal = 2, technology = 1, tool = 1 }
gain = { influence = 4 }

[[invention_cards]]
id = "car-b"
invention = "car"
kind = "official"
cost = { coal = 2, metal = 2, technology = 1, tool = 1 }
gain = { influence = 4 }

[[invention_cards]]
id = "car-counterfeit"
invention = "car"
kind = "counterfeit"
cost = { coal = 2, any = 4 }
gain = { influence = 4 }

[[invention_cards]]
id = "steam-locomotive-a"
invention = "steam-locomotive"
kind = "official"
cost = { coal = 3, metal = 2, technology = 1, tool = 2 }
gain = { influence = 6 }

[[invention_cards]]
id = "steam-locomotive-b"
invention = "steam-locomotive"
kind = "official"
cost = { coal = 3, metal = 2, technology = 1, tool = 2 }
gain = { influence = 6 }

[[invention_cards]]
id = "steam-locomotive-counterfeit"
invention = "steam-locomotive"
kind = "counterfeit"
cost = { coal = 3, any = 5 }
gain = { influence = 6 }

[[invention_cards]]
id = "aeroplane-a"
invention = "aeroplane"
kind = "official"
cost = { coal = 2, metal = 2, technology = 3, tool = 2 }
gain = { influence = 7 }

[[invention_cards]]
id = "aeroplane-b"
invention = "aeroplane"
kind = "official"
cost = { coal = 2, metal = 2, technology = 3, tool = 2 }
gain = { influence = 7 }

[[invention_cards]]
id = "aeroplane-counterfeit"
invention = "aeroplane"
kind = "counterfeit"
cost = { coal = 2, any = 7 }
gain = { influence = 7 }

# The 12 start invention cards.

[[start_cards]]
id = "light-bulb"
name = { en = "light bulb", de = "Glühbirne", fr = "ampoule électrique", nl = "gloeilamp" }
cost = { coal = 1, technology = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "pocket-watch"
name = { en = "pocket watch", de = "Taschenuhr", fr = "montre de poche", nl = "zakhorloge" }
cost = { coal = 1, metal = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "umbrella"
name = { en = "umbrella", de = "Regenschirm", fr = "parapluie", nl = "paraplu" }
cost = { coal = 1, tool = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "oil-lamp"
name = { en = "oil lamp", de = "Öllampe", fr = "lampe à huile", nl = "olielamp" }
cost = { coal = 1, metal = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "spectacles"
name = { en = "spectacles", de = "Brille", fr = "lunettes", nl = "bril" }
cost = { coal = 1, technology = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "fountain-pen"
name = { en = "fountain pen", de = "Füllfederhalter", fr = "stylo à plume", nl = "vulpen" }
cost = { coal = 1, tool = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "telegraph"
name = { en = "telegraph", de = "Telegraf", fr = "télégraphe", nl = "telegraaf" }
cost = { coal = 1, metal = 1, technology = 1 }
gain = { coin = 3 }

[[start_cards]]
id = "bicycle"
name = { en = "bicycle", de = "Fahrrad", fr = "bicyclette", nl = "fiets" }
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 3 }

[[start_cards]]
id = "microscope"
name = { en = "microscope", de = "Mikroskop", fr = "microscope", nl = "microscoop" }
cost = { coal = 1, metal = 1, tool = 1 }
gain = { coin = 1, stone = 1 }

[[start_cards]]
id = "barometer"
name = { en = "barometer", de = "Barometer", fr = "baromètre", nl = "barometer" }
cost = { coal = 1, metal = 1, technology = 1 }
gain = { coin = 1, stone = 1 }

[[start_cards]]
id = "music-box"
name = { en = "music box", de = "Spieluhr", fr = "boîte à musique", nl = "speeldoos" }
cost = { coal = 1, metal = 1, tool = 1 }
gain = { coin = 1, influence = 1 }

[[start_cards]]
id = "weighing-scale"
name = { en = "weighing scale", de = "Waage", fr = "balance", nl = "weegschaal" }
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 1 }

# The factory that each colour begins with.

[[start_factories]]
id = "brown-sawmill"
colour = "brown"
output = { wood = 1 }
name = { en = "brown sawmill", de = "braunes Sägewerk", fr = "scierie marron", nl = "bruine zagerij" }

[[start_factories]]
id = "green-sawmill"
colour = "green"
output = { wood = 1 }
name = { en = "green sawmill", de = "grünes Sägewerk", fr = "scierie verte", nl = "groene zagerij" }

[[start_factories]]
id = "yellow-sawmill"
colour = "yellow"
output = { wood = 1 }
name = { en = "yellow sawmill", de = "gelbes Sägewerk", fr = "scierie jaune", nl = "gele zagerij" }

[[start_factories]]
id = "orange-sawmill"
colour = "orange"
output = { wood = 1 }
name = { en = "orange sawmill", de = "oranges Sägewerk", fr = "scierie orange", nl = "oranje zagerij" }

[[start_factories]]
id = "blue-sawmill"
colour = "blue"
output = { wood = 1 }
name = { en = "blue sawmill", de = "blaues Sägewerk", fr = "scierie bleue", nl = "blauwe zagerij" }

# The 24 factory cards: what building one costs, what it yields, and the influence of those that show the symbol.

[[factories]]
id = "coal-mine-1"
cost = { wood = 1 }
output = { coal = 2 }
influence = 0
name = { en = "coal mine 1", de = "Kohlengrube 1", fr = "mine de charbon 1", nl = "kolenmijn 1" }

[[factories]]
id = "coal-mine-2"
cost = { wood = 2 }
output = { coal = 2 }
influence = 1
name = { en = "coal mine 2", de = "Kohlengrube 2", fr = "mine de charbon 2", nl = "kolenmijn 2" }

[[factories]]
id = "coal-mine-3"
cost = { wood = 2, coal = 1 }
output = { coal = 3 }
influence = 0
name = { en = "coal mine 3", de = "Kohlengrube 3", fr = "mine de charbon 3", nl = "kolenmijn 3" }

[[factories]]
id = "coal-mine-4"
cost = { wood = 3 }
output = { coal = 3 }
influence = 0
name = { en = "coal mine 4", de = "Kohlengrube 4", fr = "mine de charbon 4", nl = "kolenmijn 4" }

[[factories]]
id = "sawmill-1"
cost = { wood = 1 }
output = { wood = 1 }
influence = 1
name = { en = "sawmill 1", de = "Sägewerk 1", fr = "scierie 1", nl = "zagerij 1" }

[[factories]]
id = "sawmill-2"
cost = { wood = 1, coal = 1 }
output = { wood = 2 }
influence = 0
name = { en = "sawmill 2", de = "Sägewerk 2", fr = "scierie 2", nl = "zagerij 2" }

[[factories]]
id = "sawmill-3"
cost = { wood = 2, coal = 1 }
output = { wood = 2 }
influence = 1
name = { en = "sawmill 3", de = "Sägewerk 3", fr = "scierie 3", nl = "zagerij 3" }

[[factories]]
id = "foundry-1"
cost = { wood = 1, coal = 1 }
output = { metal = 1 }
influence = 0
name = { en = "foundry 1", de = "Gießerei 1", fr = "fonderie 1", nl = "gieterij 1" }

[[factories]]
id = "foundry-2"
cost = { wood = 1, coal = 2 }
output = { metal = 1 }
influence = 1
name = { en = "foundry 2", de = "Gießerei 2", fr = "fonderie 2", nl = "gieterij 2" }

[[factories]]
id = "foundry-3"
cost = { wood = 2, coal = 2 }
output = { metal = 2 }
influence = 0
name = { en = "foundry 3", de = "Gießerei 3", fr = "fonderie 3", nl = "gieterij 3" }

[[factories]]
id = "foundry-4"
cost = { wood = 3, coal = 1 }
output = { metal = 2 }
influence = 0
name = { en = "foundry 4", de = "Gießerei 4", fr = "fonderie 4", nl = "gieterij 4" }

[[factories]]
id = "laboratory-1"
cost = { wood = 1, coal = 1 }
output = { technology = 1 }
influence = 0
name = { en = "laboratory 1", de = "Labor 1", fr = "laboratoire 1", nl = "laboratorium 1" }

[[factories]]
id = "laboratory-2"
cost = { wood = 1, coal = 2 }
output = { technology = 1 }
influence = 1
name = { en = "laboratory 2", de = "Labor 2", fr = "laboratoire 2", nl = "laboratorium 2" }

[[factories]]
id = "laboratory-3"
cost = { wood = 2, coal = 2 }
output = { technology = 2 }
influence = 0
name = { en = "laboratory 3", de = "Labor 3", fr = "laboratoire 3", nl = "laboratorium 3" }

[[factories]]
id = "laboratory-4"
cost = { wood = 3, coal = 1 }
output = { technology = 2 }
influence = 0
name = { en = "laboratory 4", de = "Labor 4", fr = "laboratoire 4", nl = "laboratorium 4" }

[[factories]]
id = "workshop-1"
cost = { wood = 1, coal = 1 }
output = { tool = 1 }
influence = 0
name = { en = "workshop 1", de = "Werkstatt 1", fr = "atelier 1", nl = "werkplaats 1" }

[[factories]]
id = "workshop-2"
cost = { wood = 1, coal = 2 }
output = { tool = 1 }
influence = 1
name = { en = "workshop 2", de = "Werkstatt 2", fr = "atelier 2", nl = "werkplaats 2" }

[[factories]]
id = "workshop-3"
cost = { wood = 2, coal = 2 }
output = { tool = 2 }
influence = 0
name = { en = "workshop 3", de = "Werkstatt 3", fr = "atelier 3", nl = "werkplaats 3" }

[[factories]]
id = "workshop-4"
cost = { wood = 3, coal = 1 }
output = { tool = 2 }
influence = 0
name = { en = "workshop 4", de = "Werkstatt 4", fr = "atelier 4", nl = "werkplaats 4" }

[[factories]]
id = "counting-house-1"
cost = { wood = 1, coal = 2 }
output = { coin = 1 }
influence = 0
name = { en = "counting house 1", de = "Kontor 1", fr = "comptoir 1", nl = "kantoor 1" }

[[factories]]
id = "counting-house-2"
cost = { wood = 2, coal = 1 }
output = { coin = 1 }
influence = 1
name = { en = "counting house 2", de = "Kontor 2", fr = "comptoir 2", nl = "kantoor 2" }

[[factories]]
id = "counting-house-3"
cost = { wood = 3, coal = 2 }
output = { coin = 2 }
influence = 0
name = { en = "counting house 3", de = "Kontor 3", fr = "comptoir 3", nl = "kantoor 3" }

[[factories]]
id = "drawing-office-1"
cost = { wood = 2, coal = 2 }
output = { stone = 1 }
influence = 0
name = { en = "drawing office 1", de = "Konstruktionsbüro 1", fr = "bureau d’études 1", nl = "tekenkamer 1" }

[[factories]]
id = "drawing-office-2"
cost = { wood = 3, coal = 2 }
output = { stone = 1 }
influence = 1
name = { en = "drawing office 2", de = "Konstruktionsbüro 2", fr = "bureau d’études 2", nl = "tekenkamer 2" }

# The three bonuses at the end: for whoever is alone ahead, and for each of two, three, or more who are tied.
[bonuses]
alone = 5
of_two = 3
of_three = 2
of_more = 1

[[provenance]]
of = "game"
mark = "printed"
evidence = "the title of the game"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "goods"
mark = "printed"
evidence = "the lists of pieces and the terms in the rulebooks of the publisher (Dutch), of the online edition (German) and of the French edition"

[[provenance]]
of = "goods.*.id"
mark = "reconstructed"
evidence = "our word in moves"

[[provenance]]
of = "goods.*.short"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "goods.stone.total"
mark = "printed"
evidence = "20 pieces in all three books; their worth of 1 and 3 in the Dutch and the French one"

[[provenance]]
of = "colours"
mark = "printed"
evidence = "four colours appear in the examples of the Dutch and the French rulebook"

[[provenance]]
of = "colours.blue"
mark = "reconstructed"
evidence = "the fifth colour is not named in the text"

[[provenance]]
of = "colours.*.short"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "colours.*.pattern"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "colours.*.ink"
mark = "reconstructed"
evidence = "our own shades"

[[provenance]]
of = "colours.*.ink_dark"
mark = "reconstructed"
evidence = "our own shades"

[[provenance]]
of = "box"
mark = "printed"
evidence = "the lists of pieces in all three rulebooks"

[[provenance]]
of = "players"
mark = "printed"
evidence = "set-up and end of the game in all three rulebooks"

[[provenance]]
of = "start"
mark = "printed"
evidence = "set-up in all three rulebooks"

[[provenance]]
of = "limits"
mark = "printed"
evidence = "the actions in all three rulebooks"

[[provenance]]
of = "rows"
mark = "printed"
evidence = "the spaces with an arrow: preparing a new round, in all three rulebooks"

[[provenance]]
of = "actions"
mark = "printed"
evidence = "the headings of the actions in the three rulebooks"

[[provenance]]
of = "market"
mark = "printed"
evidence = "the exchange market in all three rulebooks; its limit counts for each box in the Dutch and French ones"

[[provenance]]
of = "patent_steps"
mark = "reconstructed"
evidence = "the price rises evenly after the two known steps, and so does the influence"

[[provenance]]
of = "patent_steps.1"
mark = "example"
evidence = "the Dutch and French rulebook: a first patent costs 1 and moves the pawn by 1"

[[provenance]]
of = "patent_steps.2"
mark = "example"
evidence = "the Dutch and French rulebook: two patents cost 3, that is 1 and 2, and move the pawn by 2"

[[provenance]]
of = "track"
mark = "reconstructed"
evidence = "ours; that it begins at 0 is printed"

[[provenance]]
of = "symbols"
mark = "reconstructed"
evidence = "the symbols of the first twelve spaces, which hold the four known ones, repeated"

[[provenance]]
of = "symbols.6"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.7"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.9"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.11"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "stores"
mark = "reconstructed"
evidence = "ships and warehouses of two cubes exist; how many and of which kind is a guess"

[[provenance]]
of = "stores.coal-warehouse-1"
mark = "printed"
evidence = "set-up and new round in all three rulebooks: two coal warehouses of 3 cubes, to which 1 is added"

[[provenance]]
of = "stores.coal-warehouse-2"
mark = "printed"
evidence = "set-up and new round in all three rulebooks: two coal warehouses of 3 cubes, to which 1 is added"

[[provenance]]
of = "stores.*.name"
mark = "reconstructed"
evidence = "our names and translations; the things they name are those of the rulebooks"

[[provenance]]
of = "stores.*.fill"
mark = "printed"
evidence = "new round in all three rulebooks"

[[provenance]]
of = "stores.*.add"
mark = "printed"
evidence = "new round in all three rulebooks"

[[provenance]]
of = "inventions"
mark = "reconstructed"
evidence = "from cheap to dear in the order of the introduction, weighed against the exchange market and tried in simulated games"

[[provenance]]
of = "inventions.*.id"
mark = "printed"
evidence = "the introduction of the Dutch and French rulebook names all nine; the German one leaves out the typewriter"

[[provenance]]
of = "inventions.*.name"
mark = "printed"
evidence = "the introduction of the Dutch and French rulebook names all nine; the German one leaves out the typewriter"

[[provenance]]
of = "inventions.sewing-machine.gold.stones"
mark = "example"
evidence = "the Dutch and French rulebook: yellow pays 1 development stone"

[[provenance]]
of = "inventions.sewing-machine.gold.influence"
mark = "example"
evidence = "the Dutch rulebook: 1 space; the French one says 2"

[[provenance]]
of = "inventions.sewing-machine.gold.reward"
mark = "example"
evidence = "the Dutch and French rulebook: yellow receives 1 for the official card"

[[provenance]]
of = "inventions.car.gold.stones"
mark = "example"
evidence = "the German and Dutch rulebook: the car 3 (we take it for the gold field)"

[[provenance]]
of = "inventions.steam-locomotive.gold.stones"
mark = "example"
evidence = "the German and Dutch rulebook: the steam locomotive 4 (we take it for the gold field)"

[[provenance]]
of = "invention_cards"
mark = "reconstructed"
evidence = "both official cards of an invention are alike, the counterfeit asks for as many cubes; tried in simulated games"

[[provenance]]
of = "invention_cards.*.id"
mark = "reconstructed"
evidence = "our word in moves"

[[provenance]]
of = "invention_cards.*.invention"
mark = "printed"
evidence = "two official cards and one counterfeit for each invention: all three rulebooks"

[[provenance]]
of = "invention_cards.*.kind"
mark = "printed"
evidence = "two official cards and one counterfeit for each invention: all three rulebooks"

[[provenance]]
of = "invention_cards.telephone-a.cost"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology, 1 tool and 2 coal for 3 spaces"

[[provenance]]
of = "invention_cards.telephone-a.gain"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology, 1 tool and 2 coal for 3 spaces"

[[provenance]]
of = "invention_cards.cash-register-a.cost"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology and 1 coal for 2 spaces"

[[provenance]]
of = "invention_cards.cash-register-a.gain"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology and 1 coal for 2 spaces"

[[provenance]]
of = "start_cards"
mark = "reconstructed"
evidence = "six of one cube and coal, six of two; tried in simulated games"

[[provenance]]
of = "start_cards.light-bulb.name"
mark = "reported"
evidence = "a review on gamepack.nl names the light bulb and the pocket watch"

[[provenance]]
of = "start_cards.pocket-watch.name"
mark = "reported"
evidence = "a review on gamepack.nl names the light bulb and the pocket watch"

[[provenance]]
of = "start_factories"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "start_factories.*.output"
mark = "printed"
evidence = "set-up in all three rulebooks: it yields 1 wood"

[[provenance]]
of = "start_factories.*.colour"
mark = "printed"
evidence = "set-up in all three rulebooks: one for each colour"

[[provenance]]
of = "factories"
mark = "reconstructed"
evidence = "what factories yield and are paid with is known from rulebooks and reviews, their values are ours"

[[provenance]]
of = "bonuses"
mark = "printed"
evidence = "the end of the game in all three rulebooks"
', 1767225602.5);
INSERT INTO component_sets VALUES ('e5760ee7c6d7c5077246e898e230401b2cd1e63bc55325752b80bc2955365799', 'legendary-inventors', '# Legendary Inventors: the components, set "founders-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "legendary-inventors"
name = "ada-1"
title = { en = "Our reading of the box", de = "Unsere Lesart der Schachtel", fr = "Notre lecture de la boîte", nl = "Onze lezing van de doos" }

# Cubes of each player (S6).
[box]
cubes = 15

# Additional cubes of one stroke of genius (L22).
[turn]
genius_cubes = 2

# Inventions laid out in each age (L3).

[[players]]
players = 2
inventions = 5

[[players]]
players = 3
inventions = 6

[[players]]
players = 4
inventions = 7

[[players]]
players = 5
inventions = 8

# The four fields of knowledge, in the order of all lists of four below. People tell them apart by the two letters and
# the shape.

[[fields]]
id = "physics"
shape = "circle"
short = { en = "Ph", de = "Ph", fr = "Ph", nl = "Na" }
name = { en = "physics", de = "Physik", fr = "physique", nl = "natuurkunde" }

[[fields]]
id = "chemistry"
shape = "triangle"
short = { en = "Ch", de = "Ch", fr = "Ch", nl = "Sc" }
name = { en = "chemistry", de = "Chemie", fr = "chimie", nl = "scheikunde" }

[[fields]]
id = "mechanics"
shape = "square"
short = { en = "Me", de = "Me", fr = "Mé", nl = "Me" }
name = { en = "mechanics", de = "Mechanik", fr = "mécanique", nl = "mechanica" }

[[fields]]
id = "mathematics"
shape = "diamond"
short = { en = "Ma", de = "Ma", fr = "Ma", nl = "Wi" }
name = { en = "mathematics", de = "Mathematik", fr = "mathématiques", nl = "wiskunde" }

# What the classification numbers stand for.

[[classifications]]
id = "weapons"
number = 0
name = { en = "weapons", de = "Waffen", fr = "armes", nl = "wapens" }

[[classifications]]
id = "transport"
number = 1
name = { en = "transport", de = "Transport", fr = "transports", nl = "vervoer" }

[[classifications]]
id = "communication"
number = 2
name = { en = "communication", de = "Kommunikation", fr = "communication", nl = "communicatie" }

[[classifications]]
id = "leisure"
number = 3
name = { en = "leisure", de = "Freizeit", fr = "loisirs", nl = "vrije tijd" }

[[classifications]]
id = "timekeeping"
number = 4
name = { en = "timekeeping", de = "Zeitmessung", fr = "mesure du temps", nl = "tijdmeting" }

[[classifications]]
id = "electricity"
number = 5
name = { en = "electricity", de = "Strom", fr = "électricité", nl = "elektriciteit" }

# The three ages of inventions.

[[ages]]
id = "age-1"
name = { en = "age I", de = "Zeitalter I", fr = "époque I", nl = "tijdperk I" }

[[ages]]
id = "age-2"
name = { en = "age II", de = "Zeitalter II", fr = "époque II", nl = "tijdperk II" }

[[ages]]
id = "age-3"
name = { en = "age III", de = "Zeitalter III", fr = "époque III", nl = "tijdperk III" }

# Teams have the era of their inventors, a letter and a pattern; colour comes third. `ink` is for paper, `ink_dark` for
# the dark theme.

[[teams]]
id = "antiquity"
letter = "A"
pattern = "solid"
ink = "#2f6b3a"
ink_dark = "#6fbf7e"
name = { en = "Antiquity", de = "Antike", fr = "Antiquité", nl = "Oudheid" }

[[teams]]
id = "middle-ages"
letter = "M"
pattern = "stripes"
ink = "#1d4f91"
ink_dark = "#6aa9f0"
name = { en = "Middle Ages", de = "Mittelalter", fr = "Moyen Âge", nl = "Middeleeuwen" }

[[teams]]
id = "renaissance"
letter = "R"
pattern = "dots"
ink = "#9a7412"
ink_dark = "#f0c548"
name = { en = "Renaissance", de = "Renaissance", fr = "Renaissance", nl = "Renaissance" }

[[teams]]
id = "modern-era"
letter = "N"
pattern = "waves"
ink = "#70449e"
ink_dark = "#b58be0"
name = { en = "Modern era", de = "Neuzeit", fr = "Temps modernes", nl = "Nieuwe tijd" }

[[teams]]
id = "contemporary-era"
letter = "C"
pattern = "chevrons"
ink = "#a3262f"
ink_dark = "#e0666c"
name = { en = "Contemporary era", de = "Moderne", fr = "Époque contemporaine", nl = "Moderne tijd" }

# Inventors: start values (L2), goal (L28) and the points for reaching it. Four to a team.

[[inventors]]
id = "hypatia"
team = "antiquity"
name = { en = "Hypatia", de = "Hypatia", fr = "Hypatie", nl = "Hypatia" }
start = [0, 0, 0, 2]
goal = [1, 0, 0, 3]
points = 3

[[inventors]]
id = "archimedes"
team = "antiquity"
name = { en = "Archimedes", de = "Archimedes", fr = "Archimède", nl = "Archimedes" }
start = [1, 0, 1, 0]
goal = [3, 0, 3, 0]
points = 9

[[inventors]]
id = "aristotle"
team = "antiquity"
name = { en = "Aristotle", de = "Aristoteles", fr = "Aristote", nl = "Aristoteles" }
start = [1, 0, 0, 1]
goal = [2, 0, 0, 3]
points = 6

[[inventors]]
id = "hippocrates"
team = "antiquity"
name = { en = "Hippocrates", de = "Hippokrates", fr = "Hippocrate", nl = "Hippocrates" }
start = [0, 2, 0, 0]
goal = [1, 3, 0, 1]
points = 6

[[inventors]]
id = "nicole-oresme"
team = "middle-ages"
name = { en = "Nicole Oresme", de = "Nikolaus von Oresme", fr = "Nicole Oresme", nl = "Nicolaas van Oresme" }
start = [1, 0, 0, 1]
goal = [2, 0, 1, 2]
points = 6

[[inventors]]
id = "fibonacci"
team = "middle-ages"
name = { en = "Fibonacci", de = "Fibonacci", fr = "Fibonacci", nl = "Fibonacci" }
start = [0, 0, 0, 2]
goal = [0, 0, 1, 4]
points = 6

[[inventors]]
id = "hildegard-of-bingen"
team = "middle-ages"
name = { en = "Hildegard of Bingen", de = "Hildegard von Bingen", fr = "Hildegarde de Bingen", nl = "Hildegard van Bingen" }
start = [1, 1, 0, 0]
goal = [1, 3, 0, 0]
points = 3

[[inventors]]
id = "johannes-gutenberg"
team = "middle-ages"
name = { en = "Johannes Gutenberg", de = "Johannes Gutenberg", fr = "Johannes Gutenberg", nl = "Johannes Gutenberg" }
start = [0, 1, 1, 0]
goal = [0, 2, 3, 1]
points = 9

[[inventors]]
id = "robert-boyle"
team = "renaissance"
name = { en = "Robert Boyle", de = "Robert Boyle", fr = "Robert Boyle", nl = "Robert Boyle" }
start = [0, 2, 0, 0]
goal = [1, 3, 0, 0]
points = 3

[[inventors]]
id = "isaac-newton"
team = "renaissance"
name = { en = "Isaac Newton", de = "Isaac Newton", fr = "Isaac Newton", nl = "Isaac Newton" }
start = [1, 0, 1, 0]
goal = [3, 0, 2, 1]
points = 9

[[inventors]]
id = "galileo-galilei"
team = "renaissance"
name = { en = "Galileo Galilei", de = "Galileo Galilei", fr = "Galilée", nl = "Galileo Galilei" }
start = [1, 1, 0, 0]
goal = [3, 1, 0, 1]
points = 6

[[inventors]]
id = "blaise-pascal"
team = "renaissance"
name = { en = "Blaise Pascal", de = "Blaise Pascal", fr = "Blaise Pascal", nl = "Blaise Pascal" }
start = [0, 0, 1, 1]
goal = [0, 0, 2, 3]
points = 6

[[inventors]]
id = "james-watt"
team = "modern-era"
name = { en = "James Watt", de = "James Watt", fr = "James Watt", nl = "James Watt" }
start = [0, 0, 2, 0]
goal = [1, 0, 4, 0]
points = 6

[[inventors]]
id = "ada-lovelace"
team = "modern-era"
name = { en = "Ada Lovelace", de = "Ada Lovelace", fr = "Ada Lovelace", nl = "Ada Lovelace" }
start = [0, 0, 1, 1]
goal = [0, 0, 1, 3]
points = 3

[[inventors]]
id = "antoine-lavoisier"
team = "modern-era"
name = { en = "Antoine Lavoisier", de = "Antoine Lavoisier", fr = "Antoine Lavoisier", nl = "Antoine Lavoisier" }
start = [0, 2, 0, 0]
goal = [1, 4, 0, 1]
points = 9

[[inventors]]
id = "benjamin-franklin"
team = "modern-era"
name = { en = "Benjamin Franklin", de = "Benjamin Franklin", fr = "Benjamin Franklin", nl = "Benjamin Franklin" }
start = [1, 0, 0, 1]
goal = [3, 0, 1, 1]
points = 6

[[inventors]]
id = "albert-einstein"
team = "contemporary-era"
name = { en = "Albert Einstein", de = "Albert Einstein", fr = "Albert Einstein", nl = "Albert Einstein" }
start = [1, 0, 0, 1]
goal = [3, 0, 0, 3]
points = 9

[[inventors]]
id = "thomas-edison"
team = "contemporary-era"
name = { en = "Thomas Edison", de = "Thomas Edison", fr = "Thomas Edison", nl = "Thomas Edison" }
start = [1, 0, 1, 0]
goal = [2, 0, 3, 0]
points = 6

[[inventors]]
id = "nikola-tesla"
team = "contemporary-era"
name = { en = "Nikola Tesla", de = "Nikola Tesla", fr = "Nikola Tesla", nl = "Nikola Tesla" }
start = [0, 0, 2, 0]
goal = [1, 0, 3, 0]
points = 3

[[inventors]]
id = "marie-curie"
team = "contemporary-era"
name = { en = "Marie Curie", de = "Marie Curie", fr = "Marie Curie", nl = "Marie Curie" }
start = [1, 1, 0, 0]
goal = [2, 3, 0, 0]
points = 6

# Inventions: age, name, classification number, spaces by field (L6, L8) and the points of the patent (L25).

[[inventions]]
id = "bow"
age = 1
name = { en = "Bow", de = "Bogen", fr = "Arc", nl = "Boog" }
classification = 0
spaces = [1, 0, 2, 2]
points = 1

[[inventions]]
id = "axe"
age = 1
name = { en = "Stone axe", de = "Steinaxt", fr = "Hache de pierre", nl = "Stenen bijl" }
classification = 0
spaces = [2, 0, 2, 1]
points = 1

[[inventions]]
id = "canoe"
age = 1
name = { en = "Canoe", de = "Kanu", fr = "Canoë", nl = "Kano" }
classification = 1
spaces = [2, 0, 1, 2]
points = 1

[[inventions]]
id = "wheel"
age = 1
name = { en = "Wheel", de = "Rad", fr = "Roue", nl = "Wiel" }
classification = 1
spaces = [1, 0, 3, 1]
points = 1

[[inventions]]
id = "smoke-signals"
age = 1
name = { en = "Smoke signals", de = "Rauchzeichen", fr = "Signaux de fumée", nl = "Rooksignalen" }
classification = 2
spaces = [1, 3, 0, 1]
points = 1

[[inventions]]
id = "papyrus"
age = 1
name = { en = "Papyrus", de = "Papyrus", fr = "Papyrus", nl = "Papyrus" }
classification = 2
spaces = [0, 3, 2, 0]
points = 1

[[inventions]]
id = "flute"
age = 1
name = { en = "Bone flute", de = "Knochenflöte", fr = "Flûte en os", nl = "Benen fluit" }
classification = 3
spaces = [1, 1, 2, 1]
points = 1

[[inventions]]
id = "cave-painting"
age = 1
name = { en = "Cave painting", de = "Höhlenmalerei", fr = "Peinture rupestre", nl = "Grotschildering" }
classification = 3
spaces = [0, 2, 1, 2]
points = 1

[[inventions]]
id = "sundial"
age = 1
name = { en = "Sundial", de = "Sonnenuhr", fr = "Cadran solaire", nl = "Zonnewijzer" }
classification = 4
spaces = [2, 0, 0, 3]
points = 1

[[inventions]]
id = "water-clock"
age = 1
name = { en = "Water clock", de = "Wasseruhr", fr = "Clepsydre", nl = "Waterklok" }
classification = 4
spaces = [1, 2, 1, 1]
points = 1

[[inventions]]
id = "fire"
age = 1
name = { en = "Fire", de = "Feuer", fr = "Feu", nl = "Vuur" }
classification = 5
spaces = [3, 1, 0, 1]
points = 1

[[inventions]]
id = "oil-lamp"
age = 1
name = { en = "Oil lamp", de = "Öllampe", fr = "Lampe à huile", nl = "Olielamp" }
classification = 5
spaces = [1, 3, 1, 0]
points = 1

[[inventions]]
id = "crossbow"
age = 2
name = { en = "Medieval crossbow", de = "Mittelalterliche Armbrust", fr = "Arbalète médiévale", nl = "Middeleeuwse kruisboog" }
classification = 0
spaces = [1, 0, 4, 2]
points = 2

[[inventions]]
id = "pistol"
age = 2
name = { en = "Pistol", de = "Pistole", fr = "Pistolet", nl = "Pistool" }
classification = 0
spaces = [2, 3, 1, 1]
points = 2

[[inventions]]
id = "hot-air-balloon"
age = 2
name = { en = "Hot-air balloon", de = "Heißluftballon", fr = "Montgolfière", nl = "Heteluchtballon" }
classification = 1
spaces = [1, 3, 1, 2]
points = 2

[[inventions]]
id = "caravel"
age = 2
name = { en = "Caravel", de = "Karavelle", fr = "Caravelle", nl = "Karveel" }
classification = 1
spaces = [1, 1, 3, 2]
points = 2

[[inventions]]
id = "printing-press"
age = 2
name = { en = "Printing press", de = "Druckerpresse", fr = "Presse à imprimer", nl = "Drukpers" }
classification = 2
spaces = [1, 2, 3, 1]
points = 2

[[inventions]]
id = "optical-telegraph"
age = 2
name = { en = "Optical telegraph", de = "Optischer Telegraf", fr = "Télégraphe optique", nl = "Optische telegraaf" }
classification = 2
spaces = [3, 1, 0, 3]
points = 2

[[inventions]]
id = "fireworks"
age = 2
name = { en = "Fireworks", de = "Feuerwerk", fr = "Feu d’artifice", nl = "Vuurwerk" }
classification = 3
spaces = [3, 4, 0, 0]
points = 2

[[inventions]]
id = "harpsichord"
age = 2
name = { en = "Harpsichord", de = "Cembalo", fr = "Clavecin", nl = "Klavecimbel" }
classification = 3
spaces = [2, 1, 2, 2]
points = 2

[[inventions]]
id = "hourglass"
age = 2
name = { en = "Hourglass", de = "Sanduhr", fr = "Sablier", nl = "Zandloper" }
classification = 4
spaces = [2, 2, 0, 3]
points = 2

[[inventions]]
id = "pendulum-clock"
age = 2
name = { en = "Pendulum clock", de = "Pendeluhr", fr = "Horloge à pendule", nl = "Slingerklok" }
classification = 4
spaces = [2, 0, 3, 2]
points = 2

[[inventions]]
id = "windmill"
age = 2
name = { en = "Windmill", de = "Windmühle", fr = "Moulin à vent", nl = "Windmolen" }
classification = 5
spaces = [1, 1, 3, 2]
points = 2

[[inventions]]
id = "steam-engine"
age = 2
name = { en = "Steam engine", de = "Dampfmaschine", fr = "Machine à vapeur", nl = "Stoommachine" }
classification = 5
spaces = [2, 3, 1, 1]
points = 2

[[inventions]]
id = "gatling"
age = 3
name = { en = "Gatling gun", de = "Gatling-Kanone", fr = "Mitrailleuse Gatling", nl = "Gatlinggeweer" }
classification = 0
spaces = [1, 2, 4, 2]
points = 3

[[inventions]]
id = "revolver"
age = 3
name = { en = "Revolver", de = "Revolver", fr = "Revolver", nl = "Revolver" }
classification = 0
spaces = [1, 2, 3, 3]
points = 3

[[inventions]]
id = "automobile"
age = 3
name = { en = "Automobile", de = "Automobil", fr = "Automobile", nl = "Automobiel" }
classification = 1
spaces = [1, 3, 4, 1]
points = 3

[[inventions]]
id = "zeppelin"
age = 3
name = { en = "Zeppelin", de = "Zeppelin", fr = "Zeppelin", nl = "Zeppelin" }
classification = 1
spaces = [2, 4, 1, 2]
points = 3

[[inventions]]
id = "telephone"
age = 3
name = { en = "Telephone", de = "Telefon", fr = "Téléphone", nl = "Telefoon" }
classification = 2
spaces = [3, 1, 2, 3]
points = 3

[[inventions]]
id = "radio"
age = 3
name = { en = "Radio", de = "Radio", fr = "Radio", nl = "Radio" }
classification = 2
spaces = [4, 1, 2, 2]
points = 3

[[inventions]]
id = "photography"
age = 3
name = { en = "Photography", de = "Fotografie", fr = "Photographie", nl = "Fotografie" }
classification = 3
spaces = [2, 4, 1, 2]
points = 3

[[inventions]]
id = "cinematograph"
age = 3
name = { en = "Cinematograph", de = "Kinematograf", fr = "Cinématographe", nl = "Cinematograaf" }
classification = 3
spaces = [3, 2, 3, 1]
points = 3

[[inventions]]
id = "pocket-watch"
age = 3
name = { en = "Pocket watch", de = "Taschenuhr", fr = "Montre à gousset", nl = "Zakhorloge" }
classification = 4
spaces = [1, 1, 4, 3]
points = 3

[[inventions]]
id = "quartz-clock"
age = 3
name = { en = "Quartz clock", de = "Quarzuhr", fr = "Horloge à quartz", nl = "Kwartsklok" }
classification = 4
spaces = [3, 2, 0, 4]
points = 3

[[inventions]]
id = "light-bulb"
age = 3
name = { en = "Light bulb", de = "Glühbirne", fr = "Ampoule électrique", nl = "Gloeilamp" }
classification = 5
spaces = [3, 4, 1, 1]
points = 3

[[inventions]]
id = "generator"
age = 3
name = { en = "Electric generator", de = "Stromgenerator", fr = "Dynamo", nl = "Elektrische generator" }
classification = 5
spaces = [3, 1, 2, 3]
points = 3

# Reward tokens. `kind` says what the front does (L19, L21 to L24); `value` stands with those that show a number. Every
# back is a 1 (L20).

[[tokens]]
id = "upgrade-2"
kind = "upgrade"
value = 2
count = 12
name = { en = "upgrade 2", de = "Aufwertung 2", fr = "progression 2", nl = "verbetering 2" }

[[tokens]]
id = "upgrade-3"
kind = "upgrade"
value = 3
count = 8
name = { en = "upgrade 3", de = "Aufwertung 3", fr = "progression 3", nl = "verbetering 3" }

[[tokens]]
id = "upgrade-4"
kind = "upgrade"
value = 4
count = 6
name = { en = "upgrade 4", de = "Aufwertung 4", fr = "progression 4", nl = "verbetering 4" }

[[tokens]]
id = "refresh"
kind = "refresh"
count = 4
name = { en = "refresh", de = "Auffrischung", fr = "récupération", nl = "verfrissing" }

[[tokens]]
id = "genius"
kind = "genius"
count = 4
name = { en = "stroke of genius", de = "Geniestreich", fr = "éclair de génie", nl = "inval" }

[[tokens]]
id = "number"
kind = "number"
count = 4
name = { en = "classification", de = "Ordnungszahl", fr = "numéro", nl = "volgnummer" }

[[tokens]]
id = "points-1"
kind = "points"
value = 1
count = 4
name = { en = "1 victory point", de = "1 Siegpunkt", fr = "1 point de victoire", nl = "1 punt" }

[[tokens]]
id = "points-2"
kind = "points"
value = 2
count = 6
name = { en = "2 victory points", de = "2 Siegpunkte", fr = "2 points de victoire", nl = "2 punten" }

[[tokens]]
id = "points-3"
kind = "points"
value = 3
count = 4
name = { en = "3 victory points", de = "3 Siegpunkte", fr = "3 points de victoire", nl = "3 punten" }

# Where the values are from. A path names all values at and below it; the most specific one wins.

[[provenance]]
of = "game"
mark = "reconstructed"
evidence = "our key for the game"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "our name for this set"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "our name for this set"

[[provenance]]
of = "box.cubes"
mark = "reported"
evidence = "tgiw.info: 75 cubes; forum.trictrac.net 208046: 15 of each colour"

[[provenance]]
of = "turn.genius_cubes"
mark = "printed"
evidence = "the rulebook: two additional cubes"

[[provenance]]
of = "players"
mark = "printed"
evidence = "the rulebook: three more than players; 2 to 5 players on the box"

[[provenance]]
of = "fields"
mark = "printed"
evidence = "the rulebook: physics, chemistry, mechanics, mathematics"

[[provenance]]
of = "fields.*.shape"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "fields.*.short"
mark = "reconstructed"
evidence = "our own abbreviations"

[[provenance]]
of = "classifications"
mark = "printed"
evidence = "the rulebook: 0 weapons to 5 electricity"

[[provenance]]
of = "ages"
mark = "printed"
evidence = "the rulebook: ages I to III"

[[provenance]]
of = "teams.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "teams.*.letter"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "teams.*.pattern"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "teams.*.ink"
mark = "reconstructed"
evidence = "near the colours of the box as bodogenavi.com/inventors names them"

[[provenance]]
of = "teams.*.ink_dark"
mark = "reconstructed"
evidence = "near the colours of the box as bodogenavi.com/inventors names them"

[[provenance]]
of = "teams.*.name"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the five teams"

[[provenance]]
of = "teams.antiquity.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "inventors.*.team"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the teams with their members"

[[provenance]]
of = "inventors.*.name"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the teams with their members"

[[provenance]]
of = "inventors.*.start"
mark = "reconstructed"
evidence = "history, and 33 start tokens for 20 inventors with two points each: seven begin with one 2"

[[provenance]]
of = "inventors.*.goal"
mark = "reconstructed"
evidence = "balanced by simulation: four teams of equal strength"

[[provenance]]
of = "inventors.*.points"
mark = "reconstructed"
evidence = "3 for two upgrades, 6 for three, 9 for four: the line through the two goals that are known"

[[provenance]]
of = "inventors.hypatia.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hypatia.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.archimedes.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.archimedes.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.aristotle.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.aristotle.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hippocrates.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hippocrates.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.robert-boyle.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.isaac-newton.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.galileo-galilei.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.blaise-pascal.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.ada-lovelace.start"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.ada-lovelace.goal"
mark = "reported"
evidence = "ludoclub.it, topic 282; the game help of Board Game Arena in Japanese"

[[provenance]]
of = "inventors.ada-lovelace.points"
mark = "reported"
evidence = "ludoclub.it, topic 282; the game help of Board Game Arena in Japanese"

[[provenance]]
of = "inventors.albert-einstein.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java; ludoclub.it, topic 282"

[[provenance]]
of = "inventors.albert-einstein.goal"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.albert-einstein.points"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.thomas-edison.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.nikola-tesla.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.marie-curie.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java; extralife.fr/news-jds/12594"

[[provenance]]
of = "inventors.archimedes.start"
mark = "reconstructed"
evidence = "fits the rulebook''s example, in which he has physics 1 and mechanics 2: one upgrade later"

[[provenance]]
of = "inventions.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "inventions.*.age"
mark = "reconstructed"
evidence = "twelve cards in each age, two of each classification"

[[provenance]]
of = "inventions.*.name"
mark = "reconstructed"
evidence = "ours: two cards of each classification in each age"

[[provenance]]
of = "inventions.*.name.nl"
mark = "reconstructed"
evidence = "our translation"

[[provenance]]
of = "inventions.*.classification"
mark = "reconstructed"
evidence = "follows from what the card shows and what the numbers stand for"

[[provenance]]
of = "inventions.*.spaces"
mark = "reconstructed"
evidence = "5, 7 and 9 spaces in ages I, II and III as on all 16 known cards; in each age the four fields come to the same sum"

[[provenance]]
of = "inventions.*.points"
mark = "reported"
evidence = "pastemagazine.com: 1, 2 and 3 points in the three ages"

[[provenance]]
of = "inventions.bow.name"
mark = "example"
evidence = "the rulebook: Archimedes at work on the bow"

[[provenance]]
of = "inventions.bow.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.bow.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java; the rulebook''s example fits"

[[provenance]]
of = "inventions.axe.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.axe.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.axe.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.papyrus.name"
mark = "reported"
evidence = "brettspielblog.ch"

[[provenance]]
of = "inventions.sundial.name"
mark = "reported"
evidence = "brettspielblog.ch; terra-ludi.fr"

[[provenance]]
of = "inventions.fire.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fire.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fire.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.oil-lamp.name"
mark = "reported"
evidence = "brettspielblog.ch"

[[provenance]]
of = "inventions.crossbow.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.crossbow.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.crossbow.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hourglass.name"
mark = "reported"
evidence = "terra-ludi.fr"

[[provenance]]
of = "inventions.gatling.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.gatling.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.gatling.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.photography.name"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.age"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.spaces"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.pocket-watch.name"
mark = "reported"
evidence = "bookersboardgames.com"

[[provenance]]
of = "inventions.light-bulb.name"
mark = "reported"
evidence = "terra-ludi.fr; tgiw.info"

[[provenance]]
of = "inventions.photography.classification"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.points"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "tokens.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "tokens.*.kind"
mark = "printed"
evidence = "the rulebook: five kinds of tokens"

[[provenance]]
of = "tokens.*.name"
mark = "printed"
evidence = "the rulebook: five kinds of tokens"

[[provenance]]
of = "tokens.*.value"
mark = "reconstructed"
evidence = "victory points from 1 to 3 are attested (the rulebook''s scoring example shows 2 and 3; berliner-woche.de)"

[[provenance]]
of = "tokens.*.count"
mark = "reconstructed"
evidence = "30 tokens are known; ours fill up the 52 of the rulebook"

[[provenance]]
of = "tokens.upgrade-2.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 2, 12 tokens"

[[provenance]]
of = "tokens.upgrade-2.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 2, 12 tokens"

[[provenance]]
of = "tokens.upgrade-3.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 3, 8 tokens"

[[provenance]]
of = "tokens.upgrade-3.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 3, 8 tokens"

[[provenance]]
of = "tokens.upgrade-4.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 4, 6 tokens"

[[provenance]]
of = "tokens.upgrade-4.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 4, 6 tokens"

[[provenance]]
of = "tokens.refresh.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: 4 tokens"
', 1767225602.75);
INSERT INTO component_sets VALUES ('9bc34113f99377b1637223874f1b8888616c2103f22bbbf2f74f7e1d6cb81e29', 'legendary-inventors', '# Legendary Inventors: the components, set "founders-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "legendary-inventors"
name = "founders-1"
title = { en = "Our reading of the box", de = "Unsere Lesart der Schachtel", fr = "Notre lecture de la boîte", nl = "Onze lezing van de doos" }

# Cubes of each player (S6).
[box]
cubes = 15

# Additional cubes of one stroke of genius (L22).
[turn]
genius_cubes = 2

# Inventions laid out in each age (L3).

[[players]]
players = 2
inventions = 5

[[players]]
players = 3
inventions = 6

[[players]]
players = 4
inventions = 7

[[players]]
players = 5
inventions = 8

# The four fields of knowledge, in the order of all lists of four below. People tell them apart by the two letters and
# the shape.

[[fields]]
id = "physics"
shape = "circle"
short = { en = "Ph", de = "Ph", fr = "Ph", nl = "Na" }
name = { en = "physics", de = "Physik", fr = "physique", nl = "natuurkunde" }

[[fields]]
id = "chemistry"
shape = "triangle"
short = { en = "Ch", de = "Ch", fr = "Ch", nl = "Sc" }
name = { en = "chemistry", de = "Chemie", fr = "chimie", nl = "scheikunde" }

[[fields]]
id = "mechanics"
shape = "square"
short = { en = "Me", de = "Me", fr = "Mé", nl = "Me" }
name = { en = "mechanics", de = "Mechanik", fr = "mécanique", nl = "mechanica" }

[[fields]]
id = "mathematics"
shape = "diamond"
short = { en = "Ma", de = "Ma", fr = "Ma", nl = "Wi" }
name = { en = "mathematics", de = "Mathematik", fr = "mathématiques", nl = "wiskunde" }

# What the classification numbers stand for.

[[classifications]]
id = "weapons"
number = 0
name = { en = "weapons", de = "Waffen", fr = "armes", nl = "wapens" }

[[classifications]]
id = "transport"
number = 1
name = { en = "transport", de = "Transport", fr = "transports", nl = "vervoer" }

[[classifications]]
id = "communication"
number = 2
name = { en = "communication", de = "Kommunikation", fr = "communication", nl = "communicatie" }

[[classifications]]
id = "leisure"
number = 3
name = { en = "leisure", de = "Freizeit", fr = "loisirs", nl = "vrije tijd" }

[[classifications]]
id = "timekeeping"
number = 4
name = { en = "timekeeping", de = "Zeitmessung", fr = "mesure du temps", nl = "tijdmeting" }

[[classifications]]
id = "electricity"
number = 5
name = { en = "electricity", de = "Strom", fr = "électricité", nl = "elektriciteit" }

# The three ages of inventions.

[[ages]]
id = "age-1"
name = { en = "age I", de = "Zeitalter I", fr = "époque I", nl = "tijdperk I" }

[[ages]]
id = "age-2"
name = { en = "age II", de = "Zeitalter II", fr = "époque II", nl = "tijdperk II" }

[[ages]]
id = "age-3"
name = { en = "age III", de = "Zeitalter III", fr = "époque III", nl = "tijdperk III" }

# Teams have the era of their inventors, a letter and a pattern; colour comes third. `ink` is for paper, `ink_dark` for
# the dark theme.

[[teams]]
id = "antiquity"
letter = "A"
pattern = "solid"
ink = "#2f6b3a"
ink_dark = "#6fbf7e"
name = { en = "Antiquity", de = "Antike", fr = "Antiquité", nl = "Oudheid" }

[[teams]]
id = "middle-ages"
letter = "M"
pattern = "stripes"
ink = "#1d4f91"
ink_dark = "#6aa9f0"
name = { en = "Middle Ages", de = "Mittelalter", fr = "Moyen Âge", nl = "Middeleeuwen" }

[[teams]]
id = "renaissance"
letter = "R"
pattern = "dots"
ink = "#9a7412"
ink_dark = "#f0c548"
name = { en = "Renaissance", de = "Renaissance", fr = "Renaissance", nl = "Renaissance" }

[[teams]]
id = "modern-era"
letter = "N"
pattern = "waves"
ink = "#70449e"
ink_dark = "#b58be0"
name = { en = "Modern era", de = "Neuzeit", fr = "Temps modernes", nl = "Nieuwe tijd" }

[[teams]]
id = "contemporary-era"
letter = "C"
pattern = "chevrons"
ink = "#a3262f"
ink_dark = "#e0666c"
name = { en = "Contemporary era", de = "Moderne", fr = "Époque contemporaine", nl = "Moderne tijd" }

# Inventors: start values (L2), goal (L28) and the points for reaching it. Four to a team.

[[inventors]]
id = "hypatia"
team = "antiquity"
name = { en = "Hypatia", de = "Hypatia", fr = "Hypatie", nl = "Hypatia" }
start = [0, 0, 0, 2]
goal = [1, 0, 0, 3]
points = 3

[[inventors]]
id = "archimedes"
team = "antiquity"
name = { en = "Archimedes", de = "Archimedes", fr = "Archimède", nl = "Archimedes" }
start = [1, 0, 1, 0]
goal = [3, 0, 3, 0]
points = 9

[[inventors]]
id = "aristotle"
team = "antiquity"
name = { en = "Aristotle", de = "Aristoteles", fr = "Aristote", nl = "Aristoteles" }
start = [1, 0, 0, 1]
goal = [2, 0, 0, 3]
points = 6

[[inventors]]
id = "hippocrates"
team = "antiquity"
name = { en = "Hippocrates", de = "Hippokrates", fr = "Hippocrate", nl = "Hippocrates" }
start = [0, 2, 0, 0]
goal = [1, 3, 0, 1]
points = 6

[[inventors]]
id = "nicole-oresme"
team = "middle-ages"
name = { en = "Nicole Oresme", de = "Nikolaus von Oresme", fr = "Nicole Oresme", nl = "Nicolaas van Oresme" }
start = [1, 0, 0, 1]
goal = [2, 0, 1, 2]
points = 6

[[inventors]]
id = "fibonacci"
team = "middle-ages"
name = { en = "Fibonacci", de = "Fibonacci", fr = "Fibonacci", nl = "Fibonacci" }
start = [0, 0, 0, 2]
goal = [0, 0, 1, 4]
points = 6

[[inventors]]
id = "hildegard-of-bingen"
team = "middle-ages"
name = { en = "Hildegard of Bingen", de = "Hildegard von Bingen", fr = "Hildegarde de Bingen", nl = "Hildegard van Bingen" }
start = [1, 1, 0, 0]
goal = [1, 3, 0, 0]
points = 3

[[inventors]]
id = "johannes-gutenberg"
team = "middle-ages"
name = { en = "Johannes Gutenberg", de = "Johannes Gutenberg", fr = "Johannes Gutenberg", nl = "Johannes Gutenberg" }
start = [0, 1, 1, 0]
goal = [0, 2, 3, 1]
points = 9

[[inventors]]
id = "robert-boyle"
team = "renaissance"
name = { en = "Robert Boyle", de = "Robert Boyle", fr = "Robert Boyle", nl = "Robert Boyle" }
start = [0, 2, 0, 0]
goal = [1, 3, 0, 0]
points = 3

[[inventors]]
id = "isaac-newton"
team = "renaissance"
name = { en = "Isaac Newton", de = "Isaac Newton", fr = "Isaac Newton", nl = "Isaac Newton" }
start = [1, 0, 1, 0]
goal = [3, 0, 2, 1]
points = 9

[[inventors]]
id = "galileo-galilei"
team = "renaissance"
name = { en = "Galileo Galilei", de = "Galileo Galilei", fr = "Galilée", nl = "Galileo Galilei" }
start = [1, 1, 0, 0]
goal = [3, 1, 0, 1]
points = 6

[[inventors]]
id = "blaise-pascal"
team = "renaissance"
name = { en = "Blaise Pascal", de = "Blaise Pascal", fr = "Blaise Pascal", nl = "Blaise Pascal" }
start = [0, 0, 1, 1]
goal = [0, 0, 2, 3]
points = 6

[[inventors]]
id = "james-watt"
team = "modern-era"
name = { en = "James Watt", de = "James Watt", fr = "James Watt", nl = "James Watt" }
start = [0, 0, 2, 0]
goal = [1, 0, 4, 0]
points = 6

[[inventors]]
id = "ada-lovelace"
team = "modern-era"
name = { en = "Ada Lovelace", de = "Ada Lovelace", fr = "Ada Lovelace", nl = "Ada Lovelace" }
start = [0, 0, 1, 1]
goal = [0, 0, 1, 3]
points = 3

[[inventors]]
id = "antoine-lavoisier"
team = "modern-era"
name = { en = "Antoine Lavoisier", de = "Antoine Lavoisier", fr = "Antoine Lavoisier", nl = "Antoine Lavoisier" }
start = [0, 2, 0, 0]
goal = [1, 4, 0, 1]
points = 9

[[inventors]]
id = "benjamin-franklin"
team = "modern-era"
name = { en = "Benjamin Franklin", de = "Benjamin Franklin", fr = "Benjamin Franklin", nl = "Benjamin Franklin" }
start = [1, 0, 0, 1]
goal = [3, 0, 1, 1]
points = 6

[[inventors]]
id = "albert-einstein"
team = "contemporary-era"
name = { en = "Albert Einstein", de = "Albert Einstein", fr = "Albert Einstein", nl = "Albert Einstein" }
start = [1, 0, 0, 1]
goal = [3, 0, 0, 3]
points = 9

[[inventors]]
id = "thomas-edison"
team = "contemporary-era"
name = { en = "Thomas Edison", de = "Thomas Edison", fr = "Thomas Edison", nl = "Thomas Edison" }
start = [1, 0, 1, 0]
goal = [2, 0, 3, 0]
points = 6

[[inventors]]
id = "nikola-tesla"
team = "contemporary-era"
name = { en = "Nikola Tesla", de = "Nikola Tesla", fr = "Nikola Tesla", nl = "Nikola Tesla" }
start = [0, 0, 2, 0]
goal = [1, 0, 3, 0]
points = 3

[[inventors]]
id = "marie-curie"
team = "contemporary-era"
name = { en = "Marie Curie", de = "Marie Curie", fr = "Marie Curie", nl = "Marie Curie" }
start = [1, 1, 0, 0]
goal = [2, 3, 0, 0]
points = 6

# Inventions: age, name, classification number, spaces by field (L6, L8) and the points of the patent (L25).

[[inventions]]
id = "bow"
age = 1
name = { en = "Bow", de = "Bogen", fr = "Arc", nl = "Boog" }
classification = 0
spaces = [1, 0, 2, 2]
points = 1

[[inventions]]
id = "axe"
age = 1
name = { en = "Stone axe", de = "Steinaxt", fr = "Hache de pierre", nl = "Stenen bijl" }
classification = 0
spaces = [2, 0, 2, 1]
points = 1

[[inventions]]
id = "canoe"
age = 1
name = { en = "Canoe", de = "Kanu", fr = "Canoë", nl = "Kano" }
classification = 1
spaces = [2, 0, 1, 2]
points = 1

[[inventions]]
id = "wheel"
age = 1
name = { en = "Wheel", de = "Rad", fr = "Roue", nl = "Wiel" }
classification = 1
spaces = [1, 0, 3, 1]
points = 1

[[inventions]]
id = "smoke-signals"
age = 1
name = { en = "Smoke signals", de = "Rauchzeichen", fr = "Signaux de fumée", nl = "Rooksignalen" }
classification = 2
spaces = [1, 3, 0, 1]
points = 1

[[inventions]]
id = "papyrus"
age = 1
name = { en = "Papyrus", de = "Papyrus", fr = "Papyrus", nl = "Papyrus" }
classification = 2
spaces = [0, 3, 2, 0]
points = 1

[[inventions]]
id = "flute"
age = 1
name = { en = "Bone flute", de = "Knochenflöte", fr = "Flûte en os", nl = "Benen fluit" }
classification = 3
spaces = [1, 1, 2, 1]
points = 1

[[inventions]]
id = "cave-painting"
age = 1
name = { en = "Cave painting", de = "Höhlenmalerei", fr = "Peinture rupestre", nl = "Grotschildering" }
classification = 3
spaces = [0, 2, 1, 2]
points = 1

[[inventions]]
id = "sundial"
age = 1
name = { en = "Sundial", de = "Sonnenuhr", fr = "Cadran solaire", nl = "Zonnewijzer" }
classification = 4
spaces = [2, 0, 0, 3]
points = 1

[[inventions]]
id = "water-clock"
age = 1
name = { en = "Water clock", de = "Wasseruhr", fr = "Clepsydre", nl = "Waterklok" }
classification = 4
spaces = [1, 2, 1, 1]
points = 1

[[inventions]]
id = "fire"
age = 1
name = { en = "Fire", de = "Feuer", fr = "Feu", nl = "Vuur" }
classification = 5
spaces = [3, 1, 0, 1]
points = 1

[[inventions]]
id = "oil-lamp"
age = 1
name = { en = "Oil lamp", de = "Öllampe", fr = "Lampe à huile", nl = "Olielamp" }
classification = 5
spaces = [1, 3, 1, 0]
points = 1

[[inventions]]
id = "crossbow"
age = 2
name = { en = "Medieval crossbow", de = "Mittelalterliche Armbrust", fr = "Arbalète médiévale", nl = "Middeleeuwse kruisboog" }
classification = 0
spaces = [1, 0, 4, 2]
points = 2

[[inventions]]
id = "pistol"
age = 2
name = { en = "Pistol", de = "Pistole", fr = "Pistolet", nl = "Pistool" }
classification = 0
spaces = [2, 3, 1, 1]
points = 2

[[inventions]]
id = "hot-air-balloon"
age = 2
name = { en = "Hot-air balloon", de = "Heißluftballon", fr = "Montgolfière", nl = "Heteluchtballon" }
classification = 1
spaces = [1, 3, 1, 2]
points = 2

[[inventions]]
id = "caravel"
age = 2
name = { en = "Caravel", de = "Karavelle", fr = "Caravelle", nl = "Karveel" }
classification = 1
spaces = [1, 1, 3, 2]
points = 2

[[inventions]]
id = "printing-press"
age = 2
name = { en = "Printing press", de = "Druckerpresse", fr = "Presse à imprimer", nl = "Drukpers" }
classification = 2
spaces = [1, 2, 3, 1]
points = 2

[[inventions]]
id = "optical-telegraph"
age = 2
name = { en = "Optical telegraph", de = "Optischer Telegraf", fr = "Télégraphe optique", nl = "Optische telegraaf" }
classification = 2
spaces = [3, 1, 0, 3]
points = 2

[[inventions]]
id = "fireworks"
age = 2
name = { en = "Fireworks", de = "Feuerwerk", fr = "Feu d’artifice", nl = "Vuurwerk" }
classification = 3
spaces = [3, 4, 0, 0]
points = 2

[[inventions]]
id = "harpsichord"
age = 2
name = { en = "Harpsichord", de = "Cembalo", fr = "Clavecin", nl = "Klavecimbel" }
classification = 3
spaces = [2, 1, 2, 2]
points = 2

[[inventions]]
id = "hourglass"
age = 2
name = { en = "Hourglass", de = "Sanduhr", fr = "Sablier", nl = "Zandloper" }
classification = 4
spaces = [2, 2, 0, 3]
points = 2

[[inventions]]
id = "pendulum-clock"
age = 2
name = { en = "Pendulum clock", de = "Pendeluhr", fr = "Horloge à pendule", nl = "Slingerklok" }
classification = 4
spaces = [2, 0, 3, 2]
points = 2

[[inventions]]
id = "windmill"
age = 2
name = { en = "Windmill", de = "Windmühle", fr = "Moulin à vent", nl = "Windmolen" }
classification = 5
spaces = [1, 1, 3, 2]
points = 2

[[inventions]]
id = "steam-engine"
age = 2
name = { en = "Steam engine", de = "Dampfmaschine", fr = "Machine à vapeur", nl = "Stoommachine" }
classification = 5
spaces = [2, 3, 1, 1]
points = 2

[[inventions]]
id = "gatling"
age = 3
name = { en = "Gatling gun", de = "Gatling-Kanone", fr = "Mitrailleuse Gatling", nl = "Gatlinggeweer" }
classification = 0
spaces = [1, 2, 4, 2]
points = 3

[[inventions]]
id = "revolver"
age = 3
name = { en = "Revolver", de = "Revolver", fr = "Revolver", nl = "Revolver" }
classification = 0
spaces = [1, 2, 3, 3]
points = 3

[[inventions]]
id = "automobile"
age = 3
name = { en = "Automobile", de = "Automobil", fr = "Automobile", nl = "Automobiel" }
classification = 1
spaces = [1, 3, 4, 1]
points = 3

[[inventions]]
id = "zeppelin"
age = 3
name = { en = "Zeppelin", de = "Zeppelin", fr = "Zeppelin", nl = "Zeppelin" }
classification = 1
spaces = [2, 4, 1, 2]
points = 3

[[inventions]]
id = "telephone"
age = 3
name = { en = "Telephone", de = "Telefon", fr = "Téléphone", nl = "Telefoon" }
classification = 2
spaces = [3, 1, 2, 3]
points = 3

[[inventions]]
id = "radio"
age = 3
name = { en = "Radio", de = "Radio", fr = "Radio", nl = "Radio" }
classification = 2
spaces = [4, 1, 2, 2]
points = 3

[[inventions]]
id = "photography"
age = 3
name = { en = "Photography", de = "Fotografie", fr = "Photographie", nl = "Fotografie" }
classification = 3
spaces = [2, 4, 1, 2]
points = 3

[[inventions]]
id = "cinematograph"
age = 3
name = { en = "Cinematograph", de = "Kinematograf", fr = "Cinématographe", nl = "Cinematograaf" }
classification = 3
spaces = [3, 2, 3, 1]
points = 3

[[inventions]]
id = "pocket-watch"
age = 3
name = { en = "Pocket watch", de = "Taschenuhr", fr = "Montre à gousset", nl = "Zakhorloge" }
classification = 4
spaces = [1, 1, 4, 3]
points = 3

[[inventions]]
id = "quartz-clock"
age = 3
name = { en = "Quartz clock", de = "Quarzuhr", fr = "Horloge à quartz", nl = "Kwartsklok" }
classification = 4
spaces = [3, 2, 0, 4]
points = 3

[[inventions]]
id = "light-bulb"
age = 3
name = { en = "Light bulb", de = "Glühbirne", fr = "Ampoule électrique", nl = "Gloeilamp" }
classification = 5
spaces = [3, 4, 1, 1]
points = 3

[[inventions]]
id = "generator"
age = 3
name = { en = "Electric generator", de = "Stromgenerator", fr = "Dynamo", nl = "Elektrische generator" }
classification = 5
spaces = [3, 1, 2, 3]
points = 3

# Reward tokens. `kind` says what the front does (L19, L21 to L24); `value` stands with those that show a number. Every
# back is a 1 (L20).

[[tokens]]
id = "upgrade-2"
kind = "upgrade"
value = 2
count = 12
name = { en = "upgrade 2", de = "Aufwertung 2", fr = "progression 2", nl = "verbetering 2" }

[[tokens]]
id = "upgrade-3"
kind = "upgrade"
value = 3
count = 8
name = { en = "upgrade 3", de = "Aufwertung 3", fr = "progression 3", nl = "verbetering 3" }

[[tokens]]
id = "upgrade-4"
kind = "upgrade"
value = 4
count = 6
name = { en = "upgrade 4", de = "Aufwertung 4", fr = "progression 4", nl = "verbetering 4" }

[[tokens]]
id = "refresh"
kind = "refresh"
count = 4
name = { en = "refresh", de = "Auffrischung", fr = "récupération", nl = "verfrissing" }

[[tokens]]
id = "genius"
kind = "genius"
count = 4
name = { en = "stroke of genius", de = "Geniestreich", fr = "éclair de génie", nl = "inval" }

[[tokens]]
id = "number"
kind = "number"
count = 4
name = { en = "classification", de = "Ordnungszahl", fr = "numéro", nl = "volgnummer" }

[[tokens]]
id = "points-1"
kind = "points"
value = 1
count = 4
name = { en = "1 victory point", de = "1 Siegpunkt", fr = "1 point de victoire", nl = "1 punt" }

[[tokens]]
id = "points-2"
kind = "points"
value = 2
count = 6
name = { en = "2 victory points", de = "2 Siegpunkte", fr = "2 points de victoire", nl = "2 punten" }

[[tokens]]
id = "points-3"
kind = "points"
value = 3
count = 4
name = { en = "3 victory points", de = "3 Siegpunkte", fr = "3 points de victoire", nl = "3 punten" }

# Where the values are from. A path names all values at and below it; the most specific one wins.

[[provenance]]
of = "game"
mark = "reconstructed"
evidence = "our key for the game"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "our name for this set"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "our name for this set"

[[provenance]]
of = "box.cubes"
mark = "reported"
evidence = "tgiw.info: 75 cubes; forum.trictrac.net 208046: 15 of each colour"

[[provenance]]
of = "turn.genius_cubes"
mark = "printed"
evidence = "the rulebook: two additional cubes"

[[provenance]]
of = "players"
mark = "printed"
evidence = "the rulebook: three more than players; 2 to 5 players on the box"

[[provenance]]
of = "fields"
mark = "printed"
evidence = "the rulebook: physics, chemistry, mechanics, mathematics"

[[provenance]]
of = "fields.*.shape"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "fields.*.short"
mark = "reconstructed"
evidence = "our own abbreviations"

[[provenance]]
of = "classifications"
mark = "printed"
evidence = "the rulebook: 0 weapons to 5 electricity"

[[provenance]]
of = "ages"
mark = "printed"
evidence = "the rulebook: ages I to III"

[[provenance]]
of = "teams.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "teams.*.letter"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "teams.*.pattern"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "teams.*.ink"
mark = "reconstructed"
evidence = "near the colours of the box as bodogenavi.com/inventors names them"

[[provenance]]
of = "teams.*.ink_dark"
mark = "reconstructed"
evidence = "near the colours of the box as bodogenavi.com/inventors names them"

[[provenance]]
of = "teams.*.name"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the five teams"

[[provenance]]
of = "teams.antiquity.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "inventors.*.team"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the teams with their members"

[[provenance]]
of = "inventors.*.name"
mark = "reported"
evidence = "hobbyjapan.co.jp/game/?p=12986 lists the teams with their members"

[[provenance]]
of = "inventors.*.start"
mark = "reconstructed"
evidence = "history, and 33 start tokens for 20 inventors with two points each: seven begin with one 2"

[[provenance]]
of = "inventors.*.goal"
mark = "reconstructed"
evidence = "balanced by simulation: four teams of equal strength"

[[provenance]]
of = "inventors.*.points"
mark = "reconstructed"
evidence = "3 for two upgrades, 6 for three, 9 for four: the line through the two goals that are known"

[[provenance]]
of = "inventors.hypatia.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hypatia.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.archimedes.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.archimedes.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.aristotle.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.aristotle.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hippocrates.team"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.hippocrates.name"
mark = "example"
evidence = "the rulebook: the example of the Antiquity team"

[[provenance]]
of = "inventors.robert-boyle.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.isaac-newton.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.galileo-galilei.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.blaise-pascal.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.ada-lovelace.start"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.ada-lovelace.goal"
mark = "reported"
evidence = "ludoclub.it, topic 282; the game help of Board Game Arena in Japanese"

[[provenance]]
of = "inventors.ada-lovelace.points"
mark = "reported"
evidence = "ludoclub.it, topic 282; the game help of Board Game Arena in Japanese"

[[provenance]]
of = "inventors.albert-einstein.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java; ludoclub.it, topic 282"

[[provenance]]
of = "inventors.albert-einstein.goal"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.albert-einstein.points"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventors.thomas-edison.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.nikola-tesla.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java"

[[provenance]]
of = "inventors.marie-curie.start"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventorManager.java; extralife.fr/news-jds/12594"

[[provenance]]
of = "inventors.archimedes.start"
mark = "reconstructed"
evidence = "fits the rulebook''s example, in which he has physics 1 and mechanics 2: one upgrade later"

[[provenance]]
of = "inventions.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "inventions.*.age"
mark = "reconstructed"
evidence = "twelve cards in each age, two of each classification"

[[provenance]]
of = "inventions.*.name"
mark = "reconstructed"
evidence = "ours: two cards of each classification in each age"

[[provenance]]
of = "inventions.*.name.nl"
mark = "reconstructed"
evidence = "our translation"

[[provenance]]
of = "inventions.*.classification"
mark = "reconstructed"
evidence = "follows from what the card shows and what the numbers stand for"

[[provenance]]
of = "inventions.*.spaces"
mark = "reconstructed"
evidence = "5, 7 and 9 spaces in ages I, II and III as on all 16 known cards; in each age the four fields come to the same sum"

[[provenance]]
of = "inventions.*.points"
mark = "reported"
evidence = "pastemagazine.com: 1, 2 and 3 points in the three ages"

[[provenance]]
of = "inventions.bow.name"
mark = "example"
evidence = "the rulebook: Archimedes at work on the bow"

[[provenance]]
of = "inventions.bow.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.bow.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java; the rulebook''s example fits"

[[provenance]]
of = "inventions.axe.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.axe.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.axe.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.canoe.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.smoke-signals.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.papyrus.name"
mark = "reported"
evidence = "brettspielblog.ch"

[[provenance]]
of = "inventions.sundial.name"
mark = "reported"
evidence = "brettspielblog.ch; terra-ludi.fr"

[[provenance]]
of = "inventions.fire.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fire.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fire.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.oil-lamp.name"
mark = "reported"
evidence = "brettspielblog.ch"

[[provenance]]
of = "inventions.crossbow.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.crossbow.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.crossbow.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.pistol.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hot-air-balloon.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.caravel.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.fireworks.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.hourglass.name"
mark = "reported"
evidence = "terra-ludi.fr"

[[provenance]]
of = "inventions.gatling.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.gatling.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.gatling.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.revolver.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.automobile.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.zeppelin.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.name"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.age"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.telephone.spaces"
mark = "reported"
evidence = "github.com/0xWhiteleaf/Inventors, a re-implementation: InventionManager.java"

[[provenance]]
of = "inventions.photography.name"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.age"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.spaces"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.pocket-watch.name"
mark = "reported"
evidence = "bookersboardgames.com"

[[provenance]]
of = "inventions.light-bulb.name"
mark = "reported"
evidence = "terra-ludi.fr; tgiw.info"

[[provenance]]
of = "inventions.photography.classification"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "inventions.photography.points"
mark = "reported"
evidence = "ludoclub.it, topic 282"

[[provenance]]
of = "tokens.*.id"
mark = "reconstructed"
evidence = "our ids"

[[provenance]]
of = "tokens.*.kind"
mark = "printed"
evidence = "the rulebook: five kinds of tokens"

[[provenance]]
of = "tokens.*.name"
mark = "printed"
evidence = "the rulebook: five kinds of tokens"

[[provenance]]
of = "tokens.*.value"
mark = "reconstructed"
evidence = "victory points from 1 to 3 are attested (the rulebook''s scoring example shows 2 and 3; berliner-woche.de)"

[[provenance]]
of = "tokens.*.count"
mark = "reconstructed"
evidence = "30 tokens are known; ours fill up the 52 of the rulebook"

[[provenance]]
of = "tokens.upgrade-2.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 2, 12 tokens"

[[provenance]]
of = "tokens.upgrade-2.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 2, 12 tokens"

[[provenance]]
of = "tokens.upgrade-3.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 3, 8 tokens"

[[provenance]]
of = "tokens.upgrade-3.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 3, 8 tokens"

[[provenance]]
of = "tokens.upgrade-4.value"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 4, 6 tokens"

[[provenance]]
of = "tokens.upgrade-4.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: level 4, 6 tokens"

[[provenance]]
of = "tokens.refresh.count"
mark = "reported"
evidence = "the game help of Board Game Arena in Japanese: 4 tokens"
', 1767225663.25);
INSERT INTO component_sets VALUES ('a73ba038f95876fc3451089cbebad2f0ab648d20a5550f6249a7c687cdf8f8be', 'era-of-inventions', '# Era of Inventions: the components, set "proposal-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).
# Most printed values of the cards and the board are not public: ours were balanced by simulation.

game = "era-of-inventions"
name = "proposal-1"
title = { en = "Our reconstruction", de = "Unsere Rekonstruktion", fr = "Notre reconstitution", nl = "Onze reconstructie" }

# What stands in costs and yields: five kinds of cubes, coins and development stones. `total` is the worth of all pieces
# in the box, large ones counted as 3. `short` is a letter for them, not drawn.

[[goods]]
id = "wood"
short = { en = "W", de = "H", fr = "B", nl = "H" }
total = 36
name = { en = "wood", de = "Holz", fr = "bois", nl = "hout" }
many = { en = "wood", de = "Holz", fr = "bois", nl = "hout" }

[[goods]]
id = "coal"
short = { en = "C", de = "K", fr = "C", nl = "S" }
total = 36
name = { en = "coal", de = "Kohle", fr = "charbon", nl = "steenkool" }
many = { en = "coal", de = "Kohle", fr = "charbon", nl = "steenkool" }

[[goods]]
id = "metal"
short = { en = "M", de = "M", fr = "M", nl = "M" }
total = 30
name = { en = "metal", de = "Metall", fr = "métal", nl = "metaal" }
many = { en = "metal", de = "Metall", fr = "métal", nl = "metaal" }

[[goods]]
id = "technology"
short = { en = "T", de = "T", fr = "T", nl = "T" }
total = 30
name = { en = "technology", de = "Technik", fr = "technique", nl = "techniek" }
many = { en = "technology", de = "Technik", fr = "technique", nl = "techniek" }

[[goods]]
id = "tool"
short = { en = "L", de = "W", fr = "O", nl = "G" }
total = 30
name = { en = "tool", de = "Werkzeug", fr = "outil", nl = "gereedschap" }
many = { en = "tools", de = "Werkzeug", fr = "outils", nl = "gereedschap" }

[[goods]]
id = "coin"
short = { en = "G", de = "G", fr = "P", nl = "U" }
total = 40
name = { en = "coin", de = "Münze", fr = "pièce d’or", nl = "gouden munt" }
many = { en = "coins", de = "Münzen", fr = "pièces d’or", nl = "gouden munten" }

[[goods]]
id = "stone"
short = { en = "D", de = "E", fr = "D", nl = "O" }
total = 30
name = { en = "development stone", de = "Entwicklungsstein", fr = "point de développement", nl = "ontwikkelingsblokje" }
many = { en = "development stones", de = "Entwicklungssteine", fr = "points de développement", nl = "ontwikkelingsblokjes" }

# The players'' colours, in the order of the seats. `short` is a letter for them, not drawn; `ink` is the colour on paper,
# `ink_dark` that of the dark theme.

[[colours]]
id = "brown"
short = { en = "N", de = "N", fr = "M", nl = "N" }
pattern = "solid"
ink = "#5b3a22"
ink_dark = "#bb9470"
name = { en = "Brown", de = "Braun", fr = "Marron", nl = "Bruin" }

[[colours]]
id = "green"
short = { en = "G", de = "G", fr = "V", nl = "G" }
pattern = "stripes"
ink = "#2c6a45"
ink_dark = "#7cc496"
name = { en = "Green", de = "Grün", fr = "Vert", nl = "Groen" }

[[colours]]
id = "yellow"
short = { en = "Y", de = "L", fr = "J", nl = "L" }
pattern = "dots"
ink = "#a47c00"
ink_dark = "#edd255"
name = { en = "Yellow", de = "Gelb", fr = "Jaune", nl = "Geel" }

[[colours]]
id = "orange"
short = { en = "O", de = "O", fr = "O", nl = "O" }
pattern = "chevrons"
ink = "#bd4b17"
ink_dark = "#f29a58"
name = { en = "Orange", de = "Orange", fr = "Orange", nl = "Oranje" }

[[colours]]
id = "blue"
short = { en = "B", de = "B", fr = "B", nl = "B" }
pattern = "grid"
ink = "#1f4f8f"
ink_dark = "#8db8ee"
name = { en = "Blue", de = "Blau", fr = "Bleu", nl = "Blauw" }

[box]
bonus_discs = 20
invention_markers = 15  # for each player

# One block for each number of players: action discs and bonus discs of each player, and the rounds of the game.
[[players]]
players = 3
action_discs = 3
bonus_discs = 3
rounds = 9

[[players]]
players = 4
action_discs = 2
bonus_discs = 5
rounds = 8

[[players]]
players = 5
action_discs = 2
bonus_discs = 1
rounds = 10

[start]
goods = { wood = 1, coal = 3, metal = 1, technology = 1, tool = 1, coin = 2, stone = 1 }

[limits]
factories = 3         # built in one action
loads = 3             # bought in one action
load_price = 1        # coins for one load
cards = 3             # inventions produced in one action
exchanges = 5         # in one action
stones = 7            # paid in one action for developing
patents = 2           # registered in one action

# How many cards leave each row at the end of a round: those on the spaces with an arrow, at its far end.
[rows]
inventions_leave = 3
factories_leave = 3

# The six action fields, in the order of the rules.

[[actions]]
id = "build-factories"
letter = "A"
name = { en = "Build factories", de = "Fabriken bauen", fr = "Construction d’usines", nl = "Fabrieken bouwen" }

[[actions]]
id = "produce-resources"
letter = "B"
name = { en = "Produce resources", de = "Rohstoffe produzieren", fr = "Production des usines", nl = "Grondstoffen produceren" }

[[actions]]
id = "buy-resources"
letter = "C"
name = { en = "Buy resources", de = "Rohstoffe kaufen", fr = "Achat de matières premières", nl = "Grondstoffen kopen" }

[[actions]]
id = "produce-inventions"
letter = "D"
name = { en = "Produce inventions", de = "Erfindungen produzieren", fr = "Production d’inventions", nl = "Uitvindingen produceren" }

[[actions]]
id = "exchange-market"
letter = "E"
name = { en = "Exchange market", de = "Tauschmarkt", fr = "Marché des changes", nl = "Ruilmarkt" }

[[actions]]
id = "develop-or-patent"
letter = "F"
name = { en = "Develop or patent", de = "Erfinden oder patentieren", fr = "Développement ou brevets", nl = "Ontwikkelen of patenteren" }

# The exchange market: three boxes, each used at most `most` times in one action. A line gives and gets what stands
# there; `any` is any mix of cubes and coins, `other` one cube or coin of a kind that was not given.

[[market]]
id = "upper"
most = 3
name = { en = "upper box", de = "oberes Feld", fr = "case du haut", nl = "bovenste vak" }

[[market.lines]]
id = "coins-for-a-stone"
give = { coin = 2 }
get = { stone = 1 }

[[market.lines]]
id = "a-stone-for-coins"
give = { stone = 1 }
get = { coin = 2 }

[[market]]
id = "middle"
most = 3
name = { en = "middle box", de = "mittleres Feld", fr = "case du milieu", nl = "middelste vak" }

[[market.lines]]
id = "coins-for-influence"
give = { coin = 2 }
get = { influence = 1 }

[[market.lines]]
id = "a-stone-for-influence"
give = { stone = 1 }
get = { influence = 1 }

[[market]]
id = "lower"
most = 3
name = { en = "lower box", de = "unteres Feld", fr = "case du bas", nl = "onderste vak" }

[[market.lines]]
id = "two-for-another"
give = { any = 2 }
get = { other = 1 }

[[market.lines]]
id = "coins-for-a-bonus-disc"
give = { coin = 2 }
get = { bonus_disc = 1 }

# The steps of the patent track: the coins each costs and the influence it gives.

[[patent_steps]]
step = 1
coins = 1
influence = 1

[[patent_steps]]
step = 2
coins = 2
influence = 1

[[patent_steps]]
step = 3
coins = 3
influence = 2

[[patent_steps]]
step = 4
coins = 4
influence = 3

[[patent_steps]]
step = 5
coins = 5
influence = 4

[[patent_steps]]
step = 6
coins = 6
influence = 5

# The influence track, from 0; beyond its last space it begins again. A space with a symbol gives one of what it shows.
[track]
spaces = 100

[[symbols]]
space = 2
good = "coal"

[[symbols]]
space = 4
good = "technology"

[[symbols]]
space = 6
good = "tool"

[[symbols]]
space = 7
good = "metal"

[[symbols]]
space = 9
good = "coin"

[[symbols]]
space = 11
good = "wood"

[[symbols]]
space = 14
good = "coal"

[[symbols]]
space = 16
good = "technology"

[[symbols]]
space = 18
good = "tool"

[[symbols]]
space = 19
good = "metal"

[[symbols]]
space = 21
good = "coin"

[[symbols]]
space = 23
good = "wood"

[[symbols]]
space = 26
good = "coal"

[[symbols]]
space = 28
good = "technology"

[[symbols]]
space = 30
good = "tool"

[[symbols]]
space = 31
good = "metal"

[[symbols]]
space = 33
good = "coin"

[[symbols]]
space = 35
good = "wood"

[[symbols]]
space = 38
good = "coal"

[[symbols]]
space = 40
good = "technology"

[[symbols]]
space = 42
good = "tool"

[[symbols]]
space = 43
good = "metal"

[[symbols]]
space = 45
good = "coin"

[[symbols]]
space = 47
good = "wood"

[[symbols]]
space = 50
good = "coal"

[[symbols]]
space = 52
good = "technology"

[[symbols]]
space = 54
good = "tool"

[[symbols]]
space = 55
good = "metal"

[[symbols]]
space = 57
good = "coin"

[[symbols]]
space = 59
good = "wood"

[[symbols]]
space = 62
good = "coal"

[[symbols]]
space = 64
good = "technology"

[[symbols]]
space = 66
good = "tool"

[[symbols]]
space = 67
good = "metal"

[[symbols]]
space = 69
good = "coin"

[[symbols]]
space = 71
good = "wood"

[[symbols]]
space = 74
good = "coal"

[[symbols]]
space = 76
good = "technology"

[[symbols]]
space = 78
good = "tool"

[[symbols]]
space = 79
good = "metal"

[[symbols]]
space = 81
good = "coin"

[[symbols]]
space = 83
good = "wood"

[[symbols]]
space = 86
good = "coal"

[[symbols]]
space = 88
good = "technology"

[[symbols]]
space = 90
good = "tool"

[[symbols]]
space = 91
good = "metal"

[[symbols]]
space = 93
good = "coin"

[[symbols]]
space = 95
good = "wood"

[[symbols]]
space = 98
good = "coal"

# Ships and warehouses: what each holds when full anew, and what is added when cubes are left.

[[stores]]
id = "coal-warehouse-1"
kind = "warehouse"
good = "coal"
fill = 3
add = 1
name = { en = "coal warehouse 1", de = "Kohle-Lagerhalle 1", fr = "maison de stockage du charbon 1", nl = "steenkoolloods 1" }

[[stores]]
id = "coal-warehouse-2"
kind = "warehouse"
good = "coal"
fill = 3
add = 1
name = { en = "coal warehouse 2", de = "Kohle-Lagerhalle 2", fr = "maison de stockage du charbon 2", nl = "steenkoolloods 2" }

[[stores]]
id = "wood-warehouse-1"
kind = "warehouse"
good = "wood"
fill = 2
add = 1
name = { en = "wood warehouse 1", de = "Holz-Lagerhalle 1", fr = "maison de stockage du bois 1", nl = "houtloods 1" }

[[stores]]
id = "wood-warehouse-2"
kind = "warehouse"
good = "wood"
fill = 2
add = 1
name = { en = "wood warehouse 2", de = "Holz-Lagerhalle 2", fr = "maison de stockage du bois 2", nl = "houtloods 2" }

[[stores]]
id = "metal-ship"
kind = "ship"
good = "metal"
fill = 2
add = 1
name = { en = "metal ship", de = "Metallschiff", fr = "navire de métal", nl = "metaalschip" }

[[stores]]
id = "technology-ship"
kind = "ship"
good = "technology"
fill = 2
add = 1
name = { en = "technology ship", de = "Technikschiff", fr = "navire de technique", nl = "techniekschip" }

[[stores]]
id = "tool-ship"
kind = "ship"
good = "tool"
fill = 2
add = 1
name = { en = "tool ship", de = "Werkzeugschiff", fr = "navire d’outils", nl = "gereedschapsschip" }

# The nine inventions, cheapest first. Of each field: the development stones it costs, the influence for inventing it, and
# what its holder is paid when somebody else produces it.

[[inventions]]
id = "cash-register"
name = { en = "cash register", de = "Kasse", fr = "caisse enregistreuse", nl = "kassa" }
gold = { stones = 1, influence = 1, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "sewing-machine"
name = { en = "sewing machine", de = "Nähmaschine", fr = "machine à coudre", nl = "naaimachine" }
gold = { stones = 1, influence = 1, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "typewriter"
name = { en = "typewriter", de = "Schreibmaschine", fr = "machine à écrire", nl = "typemachine" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "telephone"
name = { en = "telephone", de = "Telefon", fr = "téléphone", nl = "telefoon" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 2, influence = 2, reward = { coin = 2 } }

[[inventions]]
id = "gramophone"
name = { en = "gramophone", de = "Grammofon", fr = "tourne-disque", nl = "grammofoon" }
gold = { stones = 2, influence = 3, reward = { influence = 1 } }
silver = { stones = 1, influence = 1, reward = { coin = 1 } }

[[inventions]]
id = "camera"
name = { en = "camera", de = "Fotoapparat", fr = "appareil photo", nl = "fotocamera" }
gold = { stones = 3, influence = 5, reward = { influence = 1 } }
silver = { stones = 2, influence = 3, reward = { coin = 1 } }

[[inventions]]
id = "car"
name = { en = "car", de = "Auto", fr = "voiture", nl = "auto" }
gold = { stones = 3, influence = 4, reward = { influence = 2 } }
silver = { stones = 2, influence = 3, reward = { coin = 2 } }

[[inventions]]
id = "steam-locomotive"
name = { en = "steam locomotive", de = "Dampflokomotive", fr = "train à vapeur", nl = "stoomtrein" }
gold = { stones = 4, influence = 6, reward = { influence = 2 } }
silver = { stones = 3, influence = 4, reward = { coin = 2 } }

[[inventions]]
id = "aeroplane"
name = { en = "aeroplane", de = "Flugzeug", fr = "avion", nl = "vliegtuig" }
gold = { stones = 5, influence = 7, reward = { influence = 3 } }
silver = { stones = 3, influence = 4, reward = { coin = 3 } }

# The 27 invention cards: what producing one costs and yields. `any` are the cubes with a "?".

[[invention_cards]]
id = "cash-register-a"
invention = "cash-register"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "cash-register-b"
invention = "cash-register"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "cash-register-counterfeit"
invention = "cash-register"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-a"
invention = "sewing-machine"
kind = "official"
cost = { coal = 1, metal = 1, tool = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-b"
invention = "sewing-machine"
kind = "official"
cost = { coal = 1, metal = 1, tool = 1 }
gain = { influence = 2 }

[[invention_cards]]
id = "sewing-machine-counterfeit"
invention = "sewing-machine"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { influence = 2 }

[[invention_cards]]
id = "typewriter-a"
invention = "typewriter"
kind = "official"
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "typewriter-b"
invention = "typewriter"
kind = "official"
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "typewriter-counterfeit"
invention = "typewriter"
kind = "counterfeit"
cost = { coal = 1, any = 2 }
gain = { coin = 2, influence = 1 }

[[invention_cards]]
id = "telephone-a"
invention = "telephone"
kind = "official"
cost = { coal = 2, metal = 1, technology = 1, tool = 1 }
gain = { influence = 3 }

[[invention_cards]]
id = "telephone-b"
invention = "telephone"
kind = "official"
cost = { coal = 2, metal = 1, technology = 1, tool = 1 }
gain = { influence = 3 }

[[invention_cards]]
id = "telephone-counterfeit"
invention = "telephone"
kind = "counterfeit"
cost = { coal = 2, any = 3 }
gain = { influence = 3 }

[[invention_cards]]
id = "gramophone-a"
invention = "gramophone"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "gramophone-b"
invention = "gramophone"
kind = "official"
cost = { coal = 1, metal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "gramophone-counterfeit"
invention = "gramophone"
kind = "counterfeit"
cost = { coal = 1, any = 3 }
gain = { coin = 1, influence = 2 }

[[invention_cards]]
id = "camera-a"
invention = "camera"
kind = "official"
cost = { coal = 2, metal = 1, technology = 2 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "camera-b"
invention = "camera"
kind = "official"
cost = { coal = 2, metal = 1, technology = 2 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "camera-counterfeit"
invention = "camera"
kind = "counterfeit"
cost = { coal = 2, any = 3 }
gain = { coin = 2, influence = 2 }

[[invention_cards]]
id = "car-a"
invention = "car"
kind = "official"
cost = { coal = 2, metal = 2, technology = 1, tool = 1 }
gain = { influence = 4 }

[[invention_cards]]
id = "car-b"
invention = "car"
kind = "official"
cost = { coal = 2, metal = 2, technology = 1, tool = 1 }
gain = { influence = 4 }

[[invention_cards]]
id = "car-counterfeit"
invention = "car"
kind = "counterfeit"
cost = { coal = 2, any = 4 }
gain = { influence = 4 }

[[invention_cards]]
id = "steam-locomotive-a"
invention = "steam-locomotive"
kind = "official"
cost = { coal = 3, metal = 2, technology = 1, tool = 2 }
gain = { influence = 6 }

[[invention_cards]]
id = "steam-locomotive-b"
invention = "steam-locomotive"
kind = "official"
cost = { coal = 3, metal = 2, technology = 1, tool = 2 }
gain = { influence = 6 }

[[invention_cards]]
id = "steam-locomotive-counterfeit"
invention = "steam-locomotive"
kind = "counterfeit"
cost = { coal = 3, any = 5 }
gain = { influence = 6 }

[[invention_cards]]
id = "aeroplane-a"
invention = "aeroplane"
kind = "official"
cost = { coal = 2, metal = 2, technology = 3, tool = 2 }
gain = { influence = 7 }

[[invention_cards]]
id = "aeroplane-b"
invention = "aeroplane"
kind = "official"
cost = { coal = 2, metal = 2, technology = 3, tool = 2 }
gain = { influence = 7 }

[[invention_cards]]
id = "aeroplane-counterfeit"
invention = "aeroplane"
kind = "counterfeit"
cost = { coal = 2, any = 7 }
gain = { influence = 7 }

# The 12 start invention cards.

[[start_cards]]
id = "light-bulb"
name = { en = "light bulb", de = "Glühbirne", fr = "ampoule électrique", nl = "gloeilamp" }
cost = { coal = 1, technology = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "pocket-watch"
name = { en = "pocket watch", de = "Taschenuhr", fr = "montre de poche", nl = "zakhorloge" }
cost = { coal = 1, metal = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "umbrella"
name = { en = "umbrella", de = "Regenschirm", fr = "parapluie", nl = "paraplu" }
cost = { coal = 1, tool = 1 }
gain = { coin = 2 }

[[start_cards]]
id = "oil-lamp"
name = { en = "oil lamp", de = "Öllampe", fr = "lampe à huile", nl = "olielamp" }
cost = { coal = 1, metal = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "spectacles"
name = { en = "spectacles", de = "Brille", fr = "lunettes", nl = "bril" }
cost = { coal = 1, technology = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "fountain-pen"
name = { en = "fountain pen", de = "Füllfederhalter", fr = "stylo à plume", nl = "vulpen" }
cost = { coal = 1, tool = 1 }
gain = { stone = 1 }

[[start_cards]]
id = "telegraph"
name = { en = "telegraph", de = "Telegraf", fr = "télégraphe", nl = "telegraaf" }
cost = { coal = 1, metal = 1, technology = 1 }
gain = { coin = 3 }

[[start_cards]]
id = "bicycle"
name = { en = "bicycle", de = "Fahrrad", fr = "bicyclette", nl = "fiets" }
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 3 }

[[start_cards]]
id = "microscope"
name = { en = "microscope", de = "Mikroskop", fr = "microscope", nl = "microscoop" }
cost = { coal = 1, metal = 1, tool = 1 }
gain = { coin = 1, stone = 1 }

[[start_cards]]
id = "barometer"
name = { en = "barometer", de = "Barometer", fr = "baromètre", nl = "barometer" }
cost = { coal = 1, metal = 1, technology = 1 }
gain = { coin = 1, stone = 1 }

[[start_cards]]
id = "music-box"
name = { en = "music box", de = "Spieluhr", fr = "boîte à musique", nl = "speeldoos" }
cost = { coal = 1, metal = 1, tool = 1 }
gain = { coin = 1, influence = 1 }

[[start_cards]]
id = "weighing-scale"
name = { en = "weighing scale", de = "Waage", fr = "balance", nl = "weegschaal" }
cost = { coal = 1, technology = 1, tool = 1 }
gain = { coin = 1, influence = 1 }

# The factory that each colour begins with.

[[start_factories]]
id = "brown-sawmill"
colour = "brown"
output = { wood = 1 }
name = { en = "brown sawmill", de = "braunes Sägewerk", fr = "scierie marron", nl = "bruine zagerij" }

[[start_factories]]
id = "green-sawmill"
colour = "green"
output = { wood = 1 }
name = { en = "green sawmill", de = "grünes Sägewerk", fr = "scierie verte", nl = "groene zagerij" }

[[start_factories]]
id = "yellow-sawmill"
colour = "yellow"
output = { wood = 1 }
name = { en = "yellow sawmill", de = "gelbes Sägewerk", fr = "scierie jaune", nl = "gele zagerij" }

[[start_factories]]
id = "orange-sawmill"
colour = "orange"
output = { wood = 1 }
name = { en = "orange sawmill", de = "oranges Sägewerk", fr = "scierie orange", nl = "oranje zagerij" }

[[start_factories]]
id = "blue-sawmill"
colour = "blue"
output = { wood = 1 }
name = { en = "blue sawmill", de = "blaues Sägewerk", fr = "scierie bleue", nl = "blauwe zagerij" }

# The 24 factory cards: what building one costs, what it yields, and the influence of those that show the symbol.

[[factories]]
id = "coal-mine-1"
cost = { wood = 1 }
output = { coal = 2 }
influence = 0
name = { en = "coal mine 1", de = "Kohlengrube 1", fr = "mine de charbon 1", nl = "kolenmijn 1" }

[[factories]]
id = "coal-mine-2"
cost = { wood = 2 }
output = { coal = 2 }
influence = 1
name = { en = "coal mine 2", de = "Kohlengrube 2", fr = "mine de charbon 2", nl = "kolenmijn 2" }

[[factories]]
id = "coal-mine-3"
cost = { wood = 2, coal = 1 }
output = { coal = 3 }
influence = 0
name = { en = "coal mine 3", de = "Kohlengrube 3", fr = "mine de charbon 3", nl = "kolenmijn 3" }

[[factories]]
id = "coal-mine-4"
cost = { wood = 3 }
output = { coal = 3 }
influence = 0
name = { en = "coal mine 4", de = "Kohlengrube 4", fr = "mine de charbon 4", nl = "kolenmijn 4" }

[[factories]]
id = "sawmill-1"
cost = { wood = 1 }
output = { wood = 1 }
influence = 1
name = { en = "sawmill 1", de = "Sägewerk 1", fr = "scierie 1", nl = "zagerij 1" }

[[factories]]
id = "sawmill-2"
cost = { wood = 1, coal = 1 }
output = { wood = 2 }
influence = 0
name = { en = "sawmill 2", de = "Sägewerk 2", fr = "scierie 2", nl = "zagerij 2" }

[[factories]]
id = "sawmill-3"
cost = { wood = 2, coal = 1 }
output = { wood = 2 }
influence = 1
name = { en = "sawmill 3", de = "Sägewerk 3", fr = "scierie 3", nl = "zagerij 3" }

[[factories]]
id = "foundry-1"
cost = { wood = 1, coal = 1 }
output = { metal = 1 }
influence = 0
name = { en = "foundry 1", de = "Gießerei 1", fr = "fonderie 1", nl = "gieterij 1" }

[[factories]]
id = "foundry-2"
cost = { wood = 1, coal = 2 }
output = { metal = 1 }
influence = 1
name = { en = "foundry 2", de = "Gießerei 2", fr = "fonderie 2", nl = "gieterij 2" }

[[factories]]
id = "foundry-3"
cost = { wood = 2, coal = 2 }
output = { metal = 2 }
influence = 0
name = { en = "foundry 3", de = "Gießerei 3", fr = "fonderie 3", nl = "gieterij 3" }

[[factories]]
id = "foundry-4"
cost = { wood = 3, coal = 1 }
output = { metal = 2 }
influence = 0
name = { en = "foundry 4", de = "Gießerei 4", fr = "fonderie 4", nl = "gieterij 4" }

[[factories]]
id = "laboratory-1"
cost = { wood = 1, coal = 1 }
output = { technology = 1 }
influence = 0
name = { en = "laboratory 1", de = "Labor 1", fr = "laboratoire 1", nl = "laboratorium 1" }

[[factories]]
id = "laboratory-2"
cost = { wood = 1, coal = 2 }
output = { technology = 1 }
influence = 1
name = { en = "laboratory 2", de = "Labor 2", fr = "laboratoire 2", nl = "laboratorium 2" }

[[factories]]
id = "laboratory-3"
cost = { wood = 2, coal = 2 }
output = { technology = 2 }
influence = 0
name = { en = "laboratory 3", de = "Labor 3", fr = "laboratoire 3", nl = "laboratorium 3" }

[[factories]]
id = "laboratory-4"
cost = { wood = 3, coal = 1 }
output = { technology = 2 }
influence = 0
name = { en = "laboratory 4", de = "Labor 4", fr = "laboratoire 4", nl = "laboratorium 4" }

[[factories]]
id = "workshop-1"
cost = { wood = 1, coal = 1 }
output = { tool = 1 }
influence = 0
name = { en = "workshop 1", de = "Werkstatt 1", fr = "atelier 1", nl = "werkplaats 1" }

[[factories]]
id = "workshop-2"
cost = { wood = 1, coal = 2 }
output = { tool = 1 }
influence = 1
name = { en = "workshop 2", de = "Werkstatt 2", fr = "atelier 2", nl = "werkplaats 2" }

[[factories]]
id = "workshop-3"
cost = { wood = 2, coal = 2 }
output = { tool = 2 }
influence = 0
name = { en = "workshop 3", de = "Werkstatt 3", fr = "atelier 3", nl = "werkplaats 3" }

[[factories]]
id = "workshop-4"
cost = { wood = 3, coal = 1 }
output = { tool = 2 }
influence = 0
name = { en = "workshop 4", de = "Werkstatt 4", fr = "atelier 4", nl = "werkplaats 4" }

[[factories]]
id = "counting-house-1"
cost = { wood = 1, coal = 2 }
output = { coin = 1 }
influence = 0
name = { en = "counting house 1", de = "Kontor 1", fr = "comptoir 1", nl = "kantoor 1" }

[[factories]]
id = "counting-house-2"
cost = { wood = 2, coal = 1 }
output = { coin = 1 }
influence = 1
name = { en = "counting house 2", de = "Kontor 2", fr = "comptoir 2", nl = "kantoor 2" }

[[factories]]
id = "counting-house-3"
cost = { wood = 3, coal = 2 }
output = { coin = 2 }
influence = 0
name = { en = "counting house 3", de = "Kontor 3", fr = "comptoir 3", nl = "kantoor 3" }

[[factories]]
id = "drawing-office-1"
cost = { wood = 2, coal = 2 }
output = { stone = 1 }
influence = 0
name = { en = "drawing office 1", de = "Konstruktionsbüro 1", fr = "bureau d’études 1", nl = "tekenkamer 1" }

[[factories]]
id = "drawing-office-2"
cost = { wood = 3, coal = 2 }
output = { stone = 1 }
influence = 1
name = { en = "drawing office 2", de = "Konstruktionsbüro 2", fr = "bureau d’études 2", nl = "tekenkamer 2" }

# The three bonuses at the end: for whoever is alone ahead, and for each of two, three, or more who are tied.
[bonuses]
alone = 5
of_two = 3
of_three = 2
of_more = 1

[[provenance]]
of = "game"
mark = "printed"
evidence = "the title of the game"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "goods"
mark = "printed"
evidence = "the lists of pieces and the terms in the rulebooks of the publisher (Dutch), of the online edition (German) and of the French edition"

[[provenance]]
of = "goods.*.id"
mark = "reconstructed"
evidence = "our word in moves"

[[provenance]]
of = "goods.*.short"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "goods.stone.total"
mark = "printed"
evidence = "20 pieces in all three books; their worth of 1 and 3 in the Dutch and the French one"

[[provenance]]
of = "colours"
mark = "printed"
evidence = "four colours appear in the examples of the Dutch and the French rulebook"

[[provenance]]
of = "colours.blue"
mark = "reconstructed"
evidence = "the fifth colour is not named in the text"

[[provenance]]
of = "colours.*.short"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "colours.*.pattern"
mark = "reconstructed"
evidence = "our own marks"

[[provenance]]
of = "colours.*.ink"
mark = "reconstructed"
evidence = "our own shades"

[[provenance]]
of = "colours.*.ink_dark"
mark = "reconstructed"
evidence = "our own shades"

[[provenance]]
of = "box"
mark = "printed"
evidence = "the lists of pieces in all three rulebooks"

[[provenance]]
of = "players"
mark = "printed"
evidence = "set-up and end of the game in all three rulebooks"

[[provenance]]
of = "start"
mark = "printed"
evidence = "set-up in all three rulebooks"

[[provenance]]
of = "limits"
mark = "printed"
evidence = "the actions in all three rulebooks"

[[provenance]]
of = "rows"
mark = "printed"
evidence = "the spaces with an arrow: preparing a new round, in all three rulebooks"

[[provenance]]
of = "actions"
mark = "printed"
evidence = "the headings of the actions in the three rulebooks"

[[provenance]]
of = "market"
mark = "printed"
evidence = "the exchange market in all three rulebooks; its limit counts for each box in the Dutch and French ones"

[[provenance]]
of = "patent_steps"
mark = "reconstructed"
evidence = "the price rises evenly after the two known steps, and so does the influence"

[[provenance]]
of = "patent_steps.1"
mark = "example"
evidence = "the Dutch and French rulebook: a first patent costs 1 and moves the pawn by 1"

[[provenance]]
of = "patent_steps.2"
mark = "example"
evidence = "the Dutch and French rulebook: two patents cost 3, that is 1 and 2, and move the pawn by 2"

[[provenance]]
of = "track"
mark = "reconstructed"
evidence = "ours; that it begins at 0 is printed"

[[provenance]]
of = "symbols"
mark = "reconstructed"
evidence = "the symbols of the first twelve spaces, which hold the four known ones, repeated"

[[provenance]]
of = "symbols.6"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.7"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.9"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "symbols.11"
mark = "example"
evidence = "the examples about the influence track in the Dutch and French rulebook"

[[provenance]]
of = "stores"
mark = "reconstructed"
evidence = "ships and warehouses of two cubes exist; how many and of which kind is a guess"

[[provenance]]
of = "stores.coal-warehouse-1"
mark = "printed"
evidence = "set-up and new round in all three rulebooks: two coal warehouses of 3 cubes, to which 1 is added"

[[provenance]]
of = "stores.coal-warehouse-2"
mark = "printed"
evidence = "set-up and new round in all three rulebooks: two coal warehouses of 3 cubes, to which 1 is added"

[[provenance]]
of = "stores.*.name"
mark = "reconstructed"
evidence = "our names and translations; the things they name are those of the rulebooks"

[[provenance]]
of = "stores.*.fill"
mark = "printed"
evidence = "new round in all three rulebooks"

[[provenance]]
of = "stores.*.add"
mark = "printed"
evidence = "new round in all three rulebooks"

[[provenance]]
of = "inventions"
mark = "reconstructed"
evidence = "from cheap to dear in the order of the introduction, weighed against the exchange market and tried in simulated games"

[[provenance]]
of = "inventions.*.id"
mark = "printed"
evidence = "the introduction of the Dutch and French rulebook names all nine; the German one leaves out the typewriter"

[[provenance]]
of = "inventions.*.name"
mark = "printed"
evidence = "the introduction of the Dutch and French rulebook names all nine; the German one leaves out the typewriter"

[[provenance]]
of = "inventions.sewing-machine.gold.stones"
mark = "example"
evidence = "the Dutch and French rulebook: yellow pays 1 development stone"

[[provenance]]
of = "inventions.sewing-machine.gold.influence"
mark = "example"
evidence = "the Dutch rulebook: 1 space; the French one says 2"

[[provenance]]
of = "inventions.sewing-machine.gold.reward"
mark = "example"
evidence = "the Dutch and French rulebook: yellow receives 1 for the official card"

[[provenance]]
of = "inventions.car.gold.stones"
mark = "example"
evidence = "the German and Dutch rulebook: the car 3 (we take it for the gold field)"

[[provenance]]
of = "inventions.steam-locomotive.gold.stones"
mark = "example"
evidence = "the German and Dutch rulebook: the steam locomotive 4 (we take it for the gold field)"

[[provenance]]
of = "invention_cards"
mark = "reconstructed"
evidence = "both official cards of an invention are alike, the counterfeit asks for as many cubes; tried in simulated games"

[[provenance]]
of = "invention_cards.*.id"
mark = "reconstructed"
evidence = "our word in moves"

[[provenance]]
of = "invention_cards.*.invention"
mark = "printed"
evidence = "two official cards and one counterfeit for each invention: all three rulebooks"

[[provenance]]
of = "invention_cards.*.kind"
mark = "printed"
evidence = "two official cards and one counterfeit for each invention: all three rulebooks"

[[provenance]]
of = "invention_cards.telephone-a.cost"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology, 1 tool and 2 coal for 3 spaces"

[[provenance]]
of = "invention_cards.telephone-a.gain"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology, 1 tool and 2 coal for 3 spaces"

[[provenance]]
of = "invention_cards.cash-register-a.cost"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology and 1 coal for 2 spaces"

[[provenance]]
of = "invention_cards.cash-register-a.gain"
mark = "example"
evidence = "the Dutch and French rulebook: 1 metal, 1 technology and 1 coal for 2 spaces"

[[provenance]]
of = "start_cards"
mark = "reconstructed"
evidence = "six of one cube and coal, six of two; tried in simulated games"

[[provenance]]
of = "start_cards.light-bulb.name"
mark = "reported"
evidence = "a review on gamepack.nl names the light bulb and the pocket watch"

[[provenance]]
of = "start_cards.pocket-watch.name"
mark = "reported"
evidence = "a review on gamepack.nl names the light bulb and the pocket watch"

[[provenance]]
of = "start_factories"
mark = "reconstructed"
evidence = "ours"

[[provenance]]
of = "start_factories.*.output"
mark = "printed"
evidence = "set-up in all three rulebooks: it yields 1 wood"

[[provenance]]
of = "start_factories.*.colour"
mark = "printed"
evidence = "set-up in all three rulebooks: one for each colour"

[[provenance]]
of = "factories"
mark = "reconstructed"
evidence = "what factories yield and are paid with is known from rulebooks and reviews, their values are ours"

[[provenance]]
of = "bonuses"
mark = "printed"
evidence = "the end of the game in all three rulebooks"
', 1767225731.75);
INSERT INTO component_sets VALUES ('cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c', 'paris-connection', '# Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "france-1"
title = { en = "Our map of France", de = "Unsere Frankreichkarte", fr = "Notre carte de France", nl = "Onze kaart van Frankrijk" }

# The id is the colour of the locomotives and the word in moves. Three of these colours are also colours of cities, so
# people read a gemstone or metal, a letter and a pattern. `ink` is for paper, `ink_dark` for the dark theme, where
# Onyx is drawn white on black. Both sets were chosen to stay apart for colour-blind eyes, at 3:1 to the board or more.

[[companies]]
id = "purple"
letter = "A"
pattern = "waves"
ink = "#8358b5"
ink_dark = "#964ec4"
name = { en = "Amethyst", de = "Amethyst", fr = "Améthyste", nl = "Amethist" }

[[companies]]
id = "brown"
letter = "B"
pattern = "grid"
ink = "#532c04"
ink_dark = "#ba9982"
name = { en = "Bronze", de = "Bronze", fr = "Bronze", nl = "Brons" }

[[companies]]
id = "black"
letter = "O"
pattern = "solid"
ink = "#181716"
ink_dark = "#efeeed"
name = { en = "Onyx", de = "Onyx", fr = "Onyx", nl = "Onyx" }

[[companies]]
id = "yellow"
letter = "T"
pattern = "dots"
ink = "#a87e1f"
ink_dark = "#f8c741"
name = { en = "Topaz", de = "Topas", fr = "Topaze", nl = "Topaas" }

[[companies]]
id = "blue"
letter = "S"
pattern = "stripes"
ink = "#04255c"
ink_dark = "#53b8fd"
name = { en = "Sapphire", de = "Saphir", fr = "Saphir", nl = "Saffier" }

[[companies]]
id = "red"
letter = "R"
pattern = "chevrons"
ink = "#a7373a"
ink_dark = "#ba3f31"
name = { en = "Ruby", de = "Rubin", fr = "Rubis", nl = "Robijn" }

# Of the locomotives of one company, one marks its value and one stands on its station; the others go into the bag.
[box]
locomotives = 33
value_track = 30  # the last number printed on the track; values go on above it

# One block for each number of players: the locomotives each player draws, and how many may be held without a penalty.
[[players]]
players = 3
portfolio = 10
limit = 20

[[players]]
players = 4
portfolio = 8
limit = 15

[[players]]
players = 5
portfolio = 6
limit = 12

[[players]]
players = 6
portfolio = 5
limit = 10

[turn]
most_locomotives = 5  # placed in one turn
most_taken = 2        # taken in one trade, for one given
rural_capacity = 2    # of different companies
city_capacity = 1
penalty = 20          # points for each locomotive above the limit

# The id is the colour printed on the city.
[[city_classes]]
id = "beige"
value = 1
ends_game = false
name = { en = "small city", de = "kleine Stadt", fr = "petite ville", nl = "kleine stad" }

[[city_classes]]
id = "purple"
value = 2
ends_game = false
name = { en = "medium city", de = "mittlere Stadt", fr = "ville moyenne", nl = "middelgrote stad" }

[[city_classes]]
id = "red"
value = 3
ends_game = false
name = { en = "big city", de = "große Stadt", fr = "grande ville", nl = "grote stad" }

[[city_classes]]
id = "blue"
value = 4
ends_game = true
name = { en = "port of Marseille", de = "Hafen von Marseille", fr = "port de Marseille", nl = "haven van Marseille" }

# Which hexes exist. They stand on a corner; the hexes of odd rows are shifted half a hex to the right.
[[rows]]
row = 1
columns = [8, 9]

[[rows]]
row = 2
columns = [8, 9, 10, 11]

[[rows]]
row = 3
columns = [4, 6, 7, 8, 9, 10, 11, 12]

[[rows]]
row = 4
columns = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

[[rows]]
row = 5
columns = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 6
columns = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 7
columns = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 8
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 9
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 10
columns = [6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 11
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 12
columns = [6, 7, 8, 9, 10, 11, 12, 13]

[[rows]]
row = 13
columns = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

[[rows]]
row = 14
columns = [5, 6, 7, 8, 9, 10, 12, 13]

[[rows]]
row = 15
columns = [7, 8, 9]

[tower]
column = 9
row = 4
name = { en = "Eiffel Tower", de = "Eiffelturm", fr = "tour Eiffel", nl = "Eiffeltoren" }

# One company starts on each, at random; the others may not enter, unless the table says so. Locomotives from each to
# Marseille, over no hatched border, station or tower:
# Lyon and Austerlitz 9, Est 10, Montparnasse 11, Nord 12, Saint-Lazare 13
[[stations]]
id = "gare-du-nord"
column = 9
row = 3
name = { en = "Gare du Nord", de = "Gare du Nord", fr = "Gare du Nord", nl = "Gare du Nord" }

[[stations]]
id = "gare-de-l-est"
column = 10
row = 4
name = { en = "Gare de l’Est", de = "Gare de l’Est", fr = "Gare de l’Est", nl = "Gare de l’Est" }

[[stations]]
id = "gare-de-lyon"
column = 9
row = 5
name = { en = "Gare de Lyon", de = "Gare de Lyon", fr = "Gare de Lyon", nl = "Gare de Lyon" }

[[stations]]
id = "gare-d-austerlitz"
column = 8
row = 5
name = { en = "Gare d’Austerlitz", de = "Gare d’Austerlitz", fr = "Gare d’Austerlitz", nl = "Gare d’Austerlitz" }

[[stations]]
id = "gare-montparnasse"
column = 8
row = 4
name = { en = "Gare Montparnasse", de = "Gare Montparnasse", fr = "Gare Montparnasse", nl = "Gare Montparnasse" }

[[stations]]
id = "gare-saint-lazare"
column = 8
row = 3
name = { en = "Gare Saint-Lazare", de = "Gare Saint-Lazare", fr = "Gare Saint-Lazare", nl = "Gare Saint-Lazare" }

[[cities]]
id = "calais"
column = 8
row = 1
city_class = "beige"
name = { en = "Calais", de = "Calais", fr = "Calais", nl = "Calais" }

[[cities]]
id = "lille"
column = 9
row = 1
city_class = "purple"
name = { en = "Lille", de = "Lille", fr = "Lille", nl = "Rijsel" }

[[cities]]
id = "amiens"
column = 9
row = 2
city_class = "beige"
name = { en = "Amiens", de = "Amiens", fr = "Amiens", nl = "Amiens" }

[[cities]]
id = "cherbourg"
column = 4
row = 3
city_class = "beige"
name = { en = "Cherbourg", de = "Cherbourg", fr = "Cherbourg", nl = "Cherbourg" }

[[cities]]
id = "le-havre"
column = 6
row = 3
city_class = "beige"
name = { en = "Le Havre", de = "Le Havre", fr = "Le Havre", nl = "Le Havre" }

[[cities]]
id = "rouen"
column = 7
row = 3
city_class = "beige"
name = { en = "Rouen", de = "Rouen", fr = "Rouen", nl = "Rouen" }

[[cities]]
id = "reims"
column = 10
row = 3
city_class = "beige"
name = { en = "Reims", de = "Reims", fr = "Reims", nl = "Reims" }

[[cities]]
id = "metz"
column = 12
row = 3
city_class = "beige"
name = { en = "Metz", de = "Metz", fr = "Metz", nl = "Metz" }

[[cities]]
id = "saint-malo"
column = 4
row = 4
city_class = "beige"
name = { en = "Saint-Malo", de = "Saint-Malo", fr = "Saint-Malo", nl = "Saint-Malo" }

[[cities]]
id = "caen"
column = 6
row = 4
city_class = "beige"
name = { en = "Caen", de = "Caen", fr = "Caen", nl = "Caen" }

[[cities]]
id = "nancy"
column = 13
row = 4
city_class = "beige"
name = { en = "Nancy", de = "Nancy", fr = "Nancy", nl = "Nancy" }

[[cities]]
id = "strasbourg"
column = 15
row = 4
city_class = "red"
name = { en = "Strasbourg", de = "Straßburg", fr = "Strasbourg", nl = "Straatsburg" }

[[cities]]
id = "brest"
column = 1
row = 5
city_class = "red"
name = { en = "Brest", de = "Brest", fr = "Brest", nl = "Brest" }

[[cities]]
id = "rennes"
column = 4
row = 5
city_class = "purple"
name = { en = "Rennes", de = "Rennes", fr = "Rennes", nl = "Rennes" }

[[cities]]
id = "troyes"
column = 10
row = 5
city_class = "beige"
name = { en = "Troyes", de = "Troyes", fr = "Troyes", nl = "Troyes" }

[[cities]]
id = "lorient"
column = 3
row = 6
city_class = "beige"
name = { en = "Lorient", de = "Lorient", fr = "Lorient", nl = "Lorient" }

[[cities]]
id = "angers"
column = 6
row = 6
city_class = "beige"
name = { en = "Angers", de = "Angers", fr = "Angers", nl = "Angers" }

[[cities]]
id = "le-mans"
column = 7
row = 6
city_class = "beige"
name = { en = "Le Mans", de = "Le Mans", fr = "Le Mans", nl = "Le Mans" }

[[cities]]
id = "orleans"
column = 9
row = 6
city_class = "beige"
name = { en = "Orléans", de = "Orléans", fr = "Orléans", nl = "Orléans" }

[[cities]]
id = "mulhouse"
column = 14
row = 6
city_class = "purple"
name = { en = "Mulhouse", de = "Mülhausen", fr = "Mulhouse", nl = "Mulhouse" }

[[cities]]
id = "nantes"
column = 4
row = 7
city_class = "purple"
name = { en = "Nantes", de = "Nantes", fr = "Nantes", nl = "Nantes" }

[[cities]]
id = "tours"
column = 7
row = 7
city_class = "beige"
name = { en = "Tours", de = "Tours", fr = "Tours", nl = "Tours" }

[[cities]]
id = "bourges"
column = 9
row = 7
city_class = "beige"
name = { en = "Bourges", de = "Bourges", fr = "Bourges", nl = "Bourges" }

[[cities]]
id = "dijon"
column = 11
row = 7
city_class = "beige"
name = { en = "Dijon", de = "Dijon", fr = "Dijon", nl = "Dijon" }

[[cities]]
id = "besancon"
column = 12
row = 7
city_class = "purple"
name = { en = "Besançon", de = "Besançon", fr = "Besançon", nl = "Besançon" }

[[cities]]
id = "poitiers"
column = 7
row = 8
city_class = "beige"
name = { en = "Poitiers", de = "Poitiers", fr = "Poitiers", nl = "Poitiers" }

[[cities]]
id = "la-rochelle"
column = 5
row = 9
city_class = "beige"
name = { en = "La Rochelle", de = "La Rochelle", fr = "La Rochelle", nl = "La Rochelle" }

[[cities]]
id = "limoges"
column = 8
row = 10
city_class = "purple"
name = { en = "Limoges", de = "Limoges", fr = "Limoges", nl = "Limoges" }

[[cities]]
id = "clermont-ferrand"
column = 10
row = 10
city_class = "purple"
name = { en = "Clermont-Ferrand", de = "Clermont-Ferrand", fr = "Clermont-Ferrand", nl = "Clermont-Ferrand" }

[[cities]]
id = "saint-etienne"
column = 11
row = 10
city_class = "purple"
name = { en = "Saint-Étienne", de = "Saint-Étienne", fr = "Saint-Étienne", nl = "Saint-Étienne" }

[[cities]]
id = "lyon"
column = 12
row = 10
city_class = "red"
name = { en = "Lyon", de = "Lyon", fr = "Lyon", nl = "Lyon" }

[[cities]]
id = "bordeaux"
column = 5
row = 11
city_class = "red"
name = { en = "Bordeaux", de = "Bordeaux", fr = "Bordeaux", nl = "Bordeaux" }

[[cities]]
id = "grenoble"
column = 12
row = 11
city_class = "purple"
name = { en = "Grenoble", de = "Grenoble", fr = "Grenoble", nl = "Grenoble" }

[[cities]]
id = "rodez"
column = 9
row = 12
city_class = "beige"
name = { en = "Rodez", de = "Rodez", fr = "Rodez", nl = "Rodez" }

[[cities]]
id = "nimes"
column = 11
row = 13
city_class = "purple"
name = { en = "Nîmes", de = "Nîmes", fr = "Nîmes", nl = "Nîmes" }

[[cities]]
id = "nice"
column = 14
row = 13
city_class = "red"
name = { en = "Nice", de = "Nizza", fr = "Nice", nl = "Nice" }

[[cities]]
id = "bayonne"
column = 5
row = 14
city_class = "purple"
name = { en = "Bayonne", de = "Bayonne", fr = "Bayonne", nl = "Bayonne" }

[[cities]]
id = "toulouse"
column = 8
row = 14
city_class = "red"
name = { en = "Toulouse", de = "Toulouse", fr = "Toulouse", nl = "Toulouse" }

[[cities]]
id = "beziers"
column = 10
row = 14
city_class = "purple"
name = { en = "Béziers", de = "Béziers", fr = "Béziers", nl = "Béziers" }

[[cities]]
id = "marseille"
column = 12
row = 14
city_class = "blue"
name = { en = "Marseille", de = "Marseille", fr = "Marseille", nl = "Marseille" }

[[cities]]
id = "toulon"
column = 13
row = 14
city_class = "red"
name = { en = "Toulon", de = "Toulon", fr = "Toulon", nl = "Toulon" }

[[cities]]
id = "perpignan"
column = 9
row = 15
city_class = "red"
name = { en = "Perpignan", de = "Perpignan", fr = "Perpignan", nl = "Perpignan" }

# The red and white hatched borders: pairs of hexes, each as [column, row], that lie side by side and are not adjacent.
[[borders]]
id = "vosges"
name = { en = "Vosges", de = "Vogesen", fr = "Vosges", nl = "Vogezen" }
between = [
  [[13, 5], [14, 5]],
  [[13, 5], [14, 6]],
  [[14, 4], [14, 5]],
]

[[borders]]
id = "jura"
name = { en = "Jura", de = "Jura", fr = "Jura", nl = "Jura" }
between = [
  [[13, 8], [13, 9]],
  [[13, 8], [12, 9]],
]

[[borders]]
id = "alps"
name = { en = "Alps", de = "Alpen", fr = "Alpes", nl = "Alpen" }
between = [
  [[13, 10], [13, 11]],
  [[12, 11], [13, 11]],
  [[12, 11], [13, 12]],
  [[12, 10], [13, 10]],
]

[[borders]]
id = "auvergne"
name = { en = "Auvergne mountains", de = "Bergland der Auvergne", fr = "monts d’Auvergne", nl = "bergen van Auvergne" }
between = [
  [[9, 10], [10, 10]],
  [[9, 11], [8, 11]],
  [[10, 10], [11, 10]],
]

[[borders]]
id = "cevennes"
name = { en = "Cévennes", de = "Cevennen", fr = "Cévennes", nl = "Cevennen" }
between = [
  [[10, 12], [11, 12]],
  [[10, 11], [11, 12]],
  [[10, 11], [11, 11]],
  [[10, 12], [10, 13]],
  [[9, 13], [10, 13]],
  [[9, 13], [10, 14]],
]

[[borders]]
id = "pyrenees"
name = { en = "Pyrenees", de = "Pyrenäen", fr = "Pyrénées", nl = "Pyreneeën" }
between = [
  [[7, 14], [7, 15]],
  [[8, 14], [7, 15]],
  [[8, 15], [9, 15]],
]

# Where the values come from. `of` names a value, or all values below it; * stands for one step. The most specific wins.
[[provenance]]
of = "game"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "name"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "title"
mark = "reconstructed"
evidence = "our own names for this file and set"

[[provenance]]
of = "companies"
mark = "reconstructed"
evidence = "names, letters, patterns and inks are ours; only the colours are the box''s"

[[provenance]]
of = "companies.*.id"
mark = "reported"
evidence = "the six colours: minaspeltips.se; github.com/ZeroOne3010/paris-connection-helper; github.com/AnthonyB28/Paris-Connection"

[[provenance]]
of = "box"
mark = "printed"
evidence = "198 locomotives, 33 of each company; steps 2 to 4 of the set-up: https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "box.value_track"
mark = "reported"
evidence = "a track up to 30: a review of 2011 (rlyehreviews); github.com/ZeroOne3010/paris-connection-helper"

[[provenance]]
of = "players"
mark = "printed"
evidence = "game help of Board Game Arena; https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "turn"
mark = "printed"
evidence = "game help of Board Game Arena; https://www.ultraboardgames.com/paris-connection/game-rules.php"

[[provenance]]
of = "city_classes"
mark = "printed"
evidence = "game help of Board Game Arena: beige 1, purple 2, red 3, blue 4 (Marseille)"

[[provenance]]
of = "city_classes.*.name"
mark = "reconstructed"
evidence = "ours: a word for each value, so that nobody takes a class for a company"

[[provenance]]
of = "rows"
mark = "reconstructed"
evidence = "the printed map is not public; ours is an equal-distance map of France, 71 km from hex to hex"

[[provenance]]
of = "tower"
mark = "printed"
evidence = "game help of Board Game Arena: six stations round the Eiffel Tower, which nobody enters"

[[provenance]]
of = "tower.column"
mark = "reconstructed"
evidence = "our own map"

[[provenance]]
of = "tower.row"
mark = "reconstructed"
evidence = "our own map"

[[provenance]]
of = "stations"
mark = "reconstructed"
evidence = "our own map; which station lies on which side of the tower follows the city of Paris"

[[provenance]]
of = "stations.*.id"
mark = "reported"
evidence = "https://nl.doc.boardgamearena.com/index.php?title=Gamehelpparisconnection&oldid=342"

[[provenance]]
of = "stations.*.name"
mark = "reported"
evidence = "https://nl.doc.boardgamearena.com/index.php?title=Gamehelpparisconnection&oldid=342"

[[provenance]]
of = "cities"
mark = "reconstructed"
evidence = "our own map: the larger cities of France in their places, worth more the farther from Paris"

[[provenance]]
of = "cities.beziers.name"
mark = "reported"
evidence = "named as a city of the board: jedisjeux.net, a session report (2683)"

[[provenance]]
of = "cities.nimes.name"
mark = "reported"
evidence = "named as a city of the board: jedisjeux.net, a session report (2683)"

[[provenance]]
of = "cities.marseille.name"
mark = "printed"
evidence = "game help of Board Game Arena: the blue city"

[[provenance]]
of = "cities.marseille.city_class"
mark = "printed"
evidence = "game help of Board Game Arena: the only blue city"

[[provenance]]
of = "borders"
mark = "reconstructed"
evidence = "hatched borders are printed on the board, where they run is not public; ours follow the mountains"
', 1767225860.25);
INSERT INTO events VALUES ('3YVpTHvYEVK9', 1, 1767225731.5, CAST('{"event":"opened","game":"era-of-inventions","options":{"bonus_disc_wait":"turn","track_symbols":"own action","capacity":"all","limits":"each action","last_exchange":"no symbols","bonus_disc_after":"disc","turn_over":"when needed","supply":"unlimited"},"components":"a73ba038f95876fc3451089cbebad2f0ab648d20a5550f6249a7c687cdf8f8be","places":[{"kind":"link"},{"kind":"link"},{"kind":"open"}],"commitment":"1b072b4aafdbe78d01e656ed70e64cc11fa9baa4a0b39290703ee8bc5868f0b4","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 2, 1767225731.5, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada on the go"}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 3, 1767225731.5, CAST('{"event":"seated","seat":1,"person":"RcgKMv6-OMg2/2","name":"Emil"}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 4, 1767225731.5, CAST('{"event":"botseated","seat":2,"bot":"random","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 5, 1767225731.5, CAST('{"event":"started","dealt":["laboratory 2","coal mine 3","laboratory 1","sawmill 3","laboratory 4","bicycle","telegraph","weighing scale","spectacles","barometer","light bulb","oil lamp","seat 3"]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 6, 1767225732.25, CAST('{"event":"moved","seat":2,"move":"place buy resources","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 7, 1767225732.75, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 8, 1767225733.25, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 9, 1767225733.75, CAST('{"event":"moved","seat":2,"move":"place build factories","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 10, 1767225734.25, CAST('{"event":"moved","seat":0,"move":"place develop or patent","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 11, 1767225734.75, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 12, 1767225735.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 13, 1767225735.75, CAST('{"event":"moved","seat":0,"move":"place produce resources","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 14, 1767225736.25, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 15, 1767225736.75, CAST('{"event":"moved","seat":2,"move":"use buy resources","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 16, 1767225737.25, CAST('{"event":"moved","seat":2,"move":"buy wood warehouse 2","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 17, 1767225737.75, CAST('{"event":"moved","seat":2,"move":"done","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 18, 1767225738.25, CAST('{"event":"moved","seat":2,"move":"build laboratory 1","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 19, 1767225738.75, CAST('{"event":"moved","seat":0,"move":"use build factories","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 20, 1767225739.25, CAST('{"event":"moved","seat":0,"move":"build laboratory 2","then":0,"points":[1,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 21, 1767225739.75, CAST('{"event":"moved","seat":0,"move":"produce oil lamp","then":1,"points":[1,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 22, 1767225740.25, CAST('{"event":"moved","seat":1,"move":"use produce resources","then":1,"points":[1,0,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 23, 1767225740.75, CAST('{"event":"moved","seat":1,"move":"build sawmill 3","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 24, 1767225741.25, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 25, 1767225741.75, CAST('{"event":"moved","seat":2,"move":"exchange coal metal for technology","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 26, 1767225742.25, CAST('{"event":"moved","seat":2,"move":"exchange wood tool for technology","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 27, 1767225742.75, CAST('{"event":"moved","seat":2,"move":"exchange wood coal for metal","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 28, 1767225743.25, CAST('{"event":"moved","seat":2,"move":"exchange stone for coin coin","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 29, 1767225743.75, CAST('{"event":"moved","seat":2,"move":"done","then":2,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 30, 1767225744.25, CAST('{"event":"moved","seat":2,"move":"buy coal warehouse 2","then":0,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 31, 1767225744.75, CAST('{"event":"moved","seat":0,"move":"use develop or patent","then":0,"points":[1,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 32, 1767225745.25, CAST('{"event":"moved","seat":0,"move":"patent nothing","then":0,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 33, 1767225745.75, CAST('{"event":"moved","seat":0,"move":"produce light bulb","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 34, 1767225746.25, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 35, 1767225746.75, CAST('{"event":"moved","seat":1,"move":"buy wood warehouse 1","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 36, 1767225747.25, CAST('{"event":"moved","seat":1,"move":"done","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 37, 1767225747.75, CAST('{"event":"moved","seat":1,"move":"build coal mine 3","then":2,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 38, 1767225748.25, CAST('{"event":"moved","seat":2,"move":"produce barometer","then":0,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 39, 1767225748.75, CAST('{"event":"moved","seat":0,"move":"use produce resources","then":0,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 40, 1767225749.25, CAST('{"event":"moved","seat":0,"move":"exchange stone for coin coin","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 41, 1767225749.75, CAST('{"event":"moved","seat":1,"move":"use develop or patent","then":1,"points":[2,1,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 42, 1767225750.25, CAST('{"event":"moved","seat":1,"move":"develop sewing machine gold","then":1,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 43, 1767225750.75, CAST('{"event":"moved","seat":1,"move":"produce spectacles","drew":["light bulb","spectacles","fountain pen","sewing machine b","barometer","oil lamp","microscope","counting house 1","drawing office 1","coal mine 1","counting house 3","foundry 4"],"told":true,"then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 44, 1767225751.25, CAST('{"event":"moved","seat":0,"move":"place exchange market","then":1,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 45, 1767225751.75, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 46, 1767225752.25, CAST('{"event":"moved","seat":2,"move":"place produce inventions","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 47, 1767225752.75, CAST('{"event":"moved","seat":0,"move":"place buy resources","then":1,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 48, 1767225753.25, CAST('{"event":"moved","seat":1,"move":"place build factories","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 49, 1767225753.75, CAST('{"event":"moved","seat":2,"move":"place develop or patent","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 50, 1767225754.25, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 51, 1767225754.75, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 52, 1767225755.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 53, 1767225755.75, CAST('{"event":"moved","seat":0,"move":"use buy resources","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 54, 1767225756.25, CAST('{"event":"moved","seat":0,"move":"buy coal warehouse 2","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 55, 1767225756.75, CAST('{"event":"moved","seat":0,"move":"buy coal warehouse 1","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 56, 1767225757.25, CAST('{"event":"moved","seat":0,"move":"buy wood warehouse 2","then":1,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 57, 1767225757.75, CAST('{"event":"moved","seat":1,"move":"use produce resources","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 58, 1767225758.25, CAST('{"event":"moved","seat":2,"move":"use produce inventions","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 59, 1767225758.75, CAST('{"event":"moved","seat":2,"move":"produce light bulb","then":2,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 60, 1767225759.25, CAST('{"event":"moved","seat":2,"move":"produce spectacles","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 61, 1767225759.75, CAST('{"event":"moved","seat":0,"move":"use exchange market","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 62, 1767225760.25, CAST('{"event":"moved","seat":0,"move":"exchange tool coin for metal","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 63, 1767225760.75, CAST('{"event":"moved","seat":0,"move":"exchange metal technology for coal","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 64, 1767225761.25, CAST('{"event":"moved","seat":0,"move":"exchange coal coin for tool","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 65, 1767225761.75, CAST('{"event":"moved","seat":0,"move":"exchange stone for coin coin","then":0,"points":[2,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 66, 1767225762.25, CAST('{"event":"moved","seat":0,"move":"exchange coin coin for influence","then":1,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 67, 1767225762.75, CAST('{"event":"moved","seat":1,"move":"use build factories","then":1,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 68, 1767225763.25, CAST('{"event":"moved","seat":1,"move":"build counting house 3","then":2,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 69, 1767225763.75, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 70, 1767225764.25, CAST('{"event":"moved","seat":2,"move":"exchange coin coin for wood","then":2,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 71, 1767225764.75, CAST('{"event":"moved","seat":2,"move":"exchange wood coin for technology","then":2,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 72, 1767225765.25, CAST('{"event":"moved","seat":2,"move":"exchange technology coin for wood","then":2,"points":[3,2,0]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 73, 1767225765.75, CAST('{"event":"moved","seat":2,"move":"exchange stone for influence","then":2,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 74, 1767225766.25, CAST('{"event":"moved","seat":2,"move":"done","then":0,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 75, 1767225766.75, CAST('{"event":"moved","seat":0,"move":"use build factories","then":0,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 76, 1767225767.25, CAST('{"event":"moved","seat":0,"move":"build counting house 1","then":0,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 77, 1767225767.75, CAST('{"event":"moved","seat":0,"move":"build drawing office 1","then":1,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 78, 1767225768.25, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 79, 1767225768.75, CAST('{"event":"moved","seat":1,"move":"buy tool ship","then":2,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 80, 1767225769.25, CAST('{"event":"moved","seat":2,"move":"use develop or patent","then":2,"points":[3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 81, 1767225769.75, CAST('{"event":"moved","seat":2,"move":"develop sewing machine silver","drew":["music box","umbrella","sewing machine a","sewing machine counterfeit","pocket watch","light bulb","foundry 3","workshop 3","workshop 1","foundry 1","workshop 4"],"told":true,"then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 82, 1767225770.25, CAST('{"event":"moved","seat":1,"move":"place build factories","then":2,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 83, 1767225770.75, CAST('{"event":"moved","seat":2,"move":"place produce inventions","then":0,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 84, 1767225771.25, CAST('{"event":"moved","seat":0,"move":"place develop or patent","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 85, 1767225771.75, CAST('{"event":"moved","seat":1,"move":"place exchange market","then":2,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 86, 1767225772.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 87, 1767225772.75, CAST('{"event":"moved","seat":0,"move":"place produce inventions","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 88, 1767225773.25, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 89, 1767225773.75, CAST('{"event":"moved","seat":2,"move":"place develop or patent","then":0,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 90, 1767225774.25, CAST('{"event":"moved","seat":0,"move":"place produce resources","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 91, 1767225774.75, CAST('{"event":"moved","seat":1,"move":"use exchange market","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 92, 1767225775.25, CAST('{"event":"moved","seat":1,"move":"exchange coal coal for wood","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 93, 1767225775.75, CAST('{"event":"moved","seat":1,"move":"exchange wood metal for technology","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 94, 1767225776.25, CAST('{"event":"moved","seat":1,"move":"exchange technology tool for wood","then":1,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 95, 1767225776.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 96, 1767225777.25, CAST('{"event":"moved","seat":2,"move":"use develop or patent","then":2,"points":[3,2,2]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 97, 1767225777.75, CAST('{"event":"moved","seat":2,"move":"patent sewing machine silver","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 98, 1767225778.25, CAST('{"event":"moved","seat":0,"move":"use produce resources","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 99, 1767225778.75, CAST('{"event":"moved","seat":1,"move":"take back buy resources","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 100, 1767225779.25, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 101, 1767225779.75, CAST('{"event":"moved","seat":2,"move":"take stone","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 102, 1767225780.25, CAST('{"event":"moved","seat":0,"move":"use develop or patent","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 103, 1767225780.75, CAST('{"event":"moved","seat":0,"move":"done","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 104, 1767225781.25, CAST('{"event":"moved","seat":0,"move":"use produce inventions","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 105, 1767225781.75, CAST('{"event":"moved","seat":0,"move":"produce umbrella","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 106, 1767225782.25, CAST('{"event":"moved","seat":0,"move":"produce light bulb","drew":["spectacles","light bulb","sewing machine b","umbrella","workshop 2","foundry 2","laboratory 3"],"told":true,"then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 107, 1767225782.75, CAST('{"event":"moved","seat":2,"move":"place build factories","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 108, 1767225783.25, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 109, 1767225783.75, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 110, 1767225784.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 111, 1767225784.75, CAST('{"event":"moved","seat":0,"move":"place buy resources","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 112, 1767225785.25, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 113, 1767225785.75, CAST('{"event":"moved","seat":2,"move":"place produce resources","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 114, 1767225786.25, CAST('{"event":"moved","seat":0,"move":"place develop or patent","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 115, 1767225786.75, CAST('{"event":"moved","seat":1,"move":"place exchange market","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 116, 1767225787.25, CAST('{"event":"moved","seat":2,"move":"use produce resources","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 117, 1767225787.75, CAST('{"event":"moved","seat":0,"move":"use buy resources","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 118, 1767225788.25, CAST('{"event":"moved","seat":0,"move":"buy wood warehouse 1","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 119, 1767225788.75, CAST('{"event":"moved","seat":0,"move":"buy wood warehouse 2","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 120, 1767225789.25, CAST('{"event":"moved","seat":0,"move":"buy tool ship","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 121, 1767225789.75, CAST('{"event":"moved","seat":1,"move":"use develop or patent","then":1,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 122, 1767225790.25, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 123, 1767225790.75, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 124, 1767225791.25, CAST('{"event":"moved","seat":2,"move":"exchange wood coal for tool","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 125, 1767225791.75, CAST('{"event":"moved","seat":2,"move":"exchange technology tool for wood","then":2,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 126, 1767225792.25, CAST('{"event":"moved","seat":2,"move":"done","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 127, 1767225792.75, CAST('{"event":"moved","seat":0,"move":"use develop or patent","then":0,"points":[3,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 128, 1767225793.25, CAST('{"event":"moved","seat":0,"move":"patent nothing","then":1,"points":[4,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 129, 1767225793.75, CAST('{"event":"moved","seat":1,"move":"use exchange market","then":1,"points":[4,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 130, 1767225794.25, CAST('{"event":"moved","seat":1,"move":"exchange tool tool for metal","then":1,"points":[4,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 131, 1767225794.75, CAST('{"event":"moved","seat":1,"move":"exchange wood tool for coal","then":1,"points":[4,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 132, 1767225795.25, CAST('{"event":"moved","seat":1,"move":"exchange coal metal for tool","then":1,"points":[4,2,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 133, 1767225795.75, CAST('{"event":"moved","seat":1,"move":"exchange stone for influence","then":1,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 134, 1767225796.25, CAST('{"event":"moved","seat":1,"move":"use produce resources","drew":["sewing machine a","sewing machine counterfeit","sawmill 2","coal mine 4","coal mine 2"],"told":true,"then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 135, 1767225796.75, CAST('{"event":"moved","seat":0,"move":"place buy resources","then":1,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 136, 1767225797.25, CAST('{"event":"moved","seat":1,"move":"place exchange market","then":2,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 137, 1767225797.75, CAST('{"event":"moved","seat":2,"move":"place produce resources","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 138, 1767225798.25, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 139, 1767225798.75, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 140, 1767225799.25, CAST('{"event":"moved","seat":2,"move":"place build factories","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 141, 1767225799.75, CAST('{"event":"moved","seat":0,"move":"place develop or patent","then":1,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 142, 1767225800.25, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 143, 1767225800.75, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 144, 1767225801.25, CAST('{"event":"moved","seat":0,"move":"use build factories","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 145, 1767225801.75, CAST('{"event":"moved","seat":0,"move":"build sawmill 2","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 146, 1767225802.25, CAST('{"event":"moved","seat":0,"move":"build coal mine 4","then":0,"points":[4,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 147, 1767225802.75, CAST('{"event":"moved","seat":0,"move":"build coal mine 2","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 148, 1767225803.25, CAST('{"event":"moved","seat":1,"move":"use produce resources","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 149, 1767225803.75, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 150, 1767225804.25, CAST('{"event":"moved","seat":2,"move":"done","then":0,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 151, 1767225804.75, CAST('{"event":"moved","seat":0,"move":"use develop or patent","then":0,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 152, 1767225805.25, CAST('{"event":"moved","seat":0,"move":"done","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 153, 1767225805.75, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 154, 1767225806.25, CAST('{"event":"moved","seat":1,"move":"buy wood warehouse 1","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 155, 1767225806.75, CAST('{"event":"moved","seat":1,"move":"buy coal warehouse 2","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 156, 1767225807.25, CAST('{"event":"moved","seat":1,"move":"buy tool ship","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 157, 1767225807.75, CAST('{"event":"moved","seat":2,"move":"use produce resources","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 158, 1767225808.25, CAST('{"event":"moved","seat":1,"move":"use exchange market","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 159, 1767225808.75, CAST('{"event":"moved","seat":1,"move":"exchange wood wood for coal","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 160, 1767225809.25, CAST('{"event":"moved","seat":1,"move":"exchange tool tool for coal","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 161, 1767225809.75, CAST('{"event":"moved","seat":1,"move":"exchange coal coin for technology","drew":["sewing machine b","drawing office 2","sawmill 1","counting house 2","laboratory 3","workshop 1"],"told":true,"then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 162, 1767225810.25, CAST('{"event":"moved","seat":1,"move":"place produce inventions","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 163, 1767225810.75, CAST('{"event":"moved","seat":2,"move":"place produce resources","then":0,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 164, 1767225811.25, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 165, 1767225811.75, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 166, 1767225812.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 167, 1767225812.75, CAST('{"event":"moved","seat":0,"move":"place buy resources","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 168, 1767225813.25, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 169, 1767225813.75, CAST('{"event":"moved","seat":2,"move":"place develop or patent","then":0,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 170, 1767225814.25, CAST('{"event":"moved","seat":0,"move":"place exchange market","then":1,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 171, 1767225814.75, CAST('{"event":"moved","seat":1,"move":"use produce resources","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 172, 1767225815.25, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 173, 1767225815.75, CAST('{"event":"moved","seat":2,"move":"exchange wood technology for coal","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 174, 1767225816.25, CAST('{"event":"moved","seat":2,"move":"exchange wood coal for tool","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 175, 1767225816.75, CAST('{"event":"moved","seat":2,"move":"exchange wood tool for technology","then":2,"points":[5,3,3]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 176, 1767225817.25, CAST('{"event":"moved","seat":2,"move":"exchange stone for influence","then":0,"points":[5,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 177, 1767225817.75, CAST('{"event":"moved","seat":0,"move":"use build factories","then":0,"points":[5,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 178, 1767225818.25, CAST('{"event":"moved","seat":0,"move":"build sawmill 1","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 179, 1767225818.75, CAST('{"event":"moved","seat":1,"move":"use develop or patent","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 180, 1767225819.25, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 181, 1767225819.75, CAST('{"event":"moved","seat":2,"move":"use produce resources","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 182, 1767225820.25, CAST('{"event":"moved","seat":0,"move":"use exchange market","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 183, 1767225820.75, CAST('{"event":"moved","seat":0,"move":"exchange wood tool for coin","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 184, 1767225821.25, CAST('{"event":"moved","seat":0,"move":"exchange technology coin for metal","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 185, 1767225821.75, CAST('{"event":"moved","seat":0,"move":"done","drew":["sewing machine counterfeit","sewing machine a","foundry 4","workshop 4","workshop 3","foundry 1"],"told":true,"then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 186, 1767225822.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 187, 1767225822.75, CAST('{"event":"moved","seat":0,"move":"place exchange market","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 188, 1767225823.25, CAST('{"event":"moved","seat":1,"move":"place produce resources","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 189, 1767225823.75, CAST('{"event":"moved","seat":2,"move":"place build factories","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 190, 1767225824.25, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 191, 1767225824.75, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 192, 1767225825.25, CAST('{"event":"moved","seat":2,"move":"place produce inventions","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 193, 1767225825.75, CAST('{"event":"moved","seat":0,"move":"place develop or patent","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 194, 1767225826.25, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 195, 1767225826.75, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 196, 1767225827.25, CAST('{"event":"moved","seat":2,"move":"exchange technology technology for metal","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 197, 1767225827.75, CAST('{"event":"moved","seat":2,"move":"exchange wood metal for coin","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 198, 1767225828.25, CAST('{"event":"moved","seat":2,"move":"exchange technology coin for tool","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 199, 1767225828.75, CAST('{"event":"moved","seat":0,"move":"use exchange market","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 200, 1767225829.25, CAST('{"event":"moved","seat":0,"move":"exchange tool tool for coin","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 201, 1767225829.75, CAST('{"event":"moved","seat":0,"move":"exchange metal tool for technology","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 202, 1767225830.25, CAST('{"event":"moved","seat":0,"move":"exchange stone for coin coin","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 203, 1767225830.75, CAST('{"event":"moved","seat":0,"move":"exchange coin coin for tool","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 204, 1767225831.25, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 205, 1767225831.75, CAST('{"event":"moved","seat":1,"move":"buy metal ship","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 206, 1767225832.25, CAST('{"event":"moved","seat":1,"move":"buy wood warehouse 2","then":2,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 207, 1767225832.75, CAST('{"event":"moved","seat":2,"move":"take back produce inventions","then":0,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 208, 1767225833.25, CAST('{"event":"moved","seat":0,"move":"take back build factories","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 209, 1767225833.75, CAST('{"event":"moved","seat":1,"move":"use produce resources","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 210, 1767225834.25, CAST('{"event":"moved","seat":1,"move":"use develop or patent","then":1,"points":[6,3,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 211, 1767225834.75, CAST('{"event":"moved","seat":1,"move":"patent sewing machine gold","drew":["sewing machine b","foundry 2","workshop 2","coal mine 1"],"told":true,"then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 212, 1767225835.25, CAST('{"event":"moved","seat":0,"move":"place produce inventions","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 213, 1767225835.75, CAST('{"event":"moved","seat":1,"move":"place build factories","then":2,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 214, 1767225836.25, CAST('{"event":"moved","seat":2,"move":"place develop or patent","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 215, 1767225836.75, CAST('{"event":"moved","seat":0,"move":"place buy resources","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 216, 1767225837.25, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 217, 1767225837.75, CAST('{"event":"moved","seat":2,"move":"place produce resources","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 218, 1767225838.25, CAST('{"event":"moved","seat":0,"move":"place exchange market","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 219, 1767225838.75, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 220, 1767225839.25, CAST('{"event":"moved","seat":2,"move":"place exchange market","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 221, 1767225839.75, CAST('{"event":"moved","seat":0,"move":"use exchange market","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 222, 1767225840.25, CAST('{"event":"moved","seat":0,"move":"exchange tool coin for metal","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 223, 1767225840.75, CAST('{"event":"moved","seat":0,"move":"exchange metal technology for coin","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 224, 1767225841.25, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 225, 1767225841.75, CAST('{"event":"moved","seat":1,"move":"buy tool ship","then":2,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 226, 1767225842.25, CAST('{"event":"moved","seat":2,"move":"use produce resources","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 227, 1767225842.75, CAST('{"event":"moved","seat":0,"move":"use buy resources","then":0,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 228, 1767225843.25, CAST('{"event":"moved","seat":0,"move":"buy technology ship","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 229, 1767225843.75, CAST('{"event":"moved","seat":1,"move":"use build factories","then":1,"points":[6,4,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 230, 1767225844.25, CAST('{"event":"moved","seat":1,"move":"build workshop 2","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 231, 1767225844.75, CAST('{"event":"moved","seat":1,"move":"build coal mine 1","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 232, 1767225845.25, CAST('{"event":"moved","seat":1,"move":"build foundry 4","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 233, 1767225845.75, CAST('{"event":"moved","seat":2,"move":"use exchange market","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 234, 1767225846.25, CAST('{"event":"moved","seat":2,"move":"exchange technology tool for coal","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 235, 1767225846.75, CAST('{"event":"moved","seat":2,"move":"exchange wood coal for metal","drew":["sewing machine a","sewing machine counterfeit","laboratory 4","foundry 3","workshop 3","drawing office 2"],"told":true,"then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 236, 1767225847.25, CAST('{"event":"moved","seat":1,"move":"place exchange market","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 237, 1767225847.75, CAST('{"event":"moved","seat":2,"move":"place develop or patent","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 238, 1767225848.25, CAST('{"event":"moved","seat":0,"move":"place produce inventions","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 239, 1767225848.75, CAST('{"event":"moved","seat":1,"move":"place develop or patent","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 240, 1767225849.25, CAST('{"event":"moved","seat":2,"move":"place buy resources","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 241, 1767225849.75, CAST('{"event":"moved","seat":0,"move":"place build factories","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 242, 1767225850.25, CAST('{"event":"moved","seat":1,"move":"place buy resources","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 243, 1767225850.75, CAST('{"event":"moved","seat":2,"move":"place produce inventions","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 244, 1767225851.25, CAST('{"event":"moved","seat":0,"move":"place exchange market","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 245, 1767225851.75, CAST('{"event":"moved","seat":1,"move":"use exchange market","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 246, 1767225852.25, CAST('{"event":"moved","seat":1,"move":"exchange coal technology for metal","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 247, 1767225852.75, CAST('{"event":"moved","seat":1,"move":"exchange technology tool for coin","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 248, 1767225853.25, CAST('{"event":"moved","seat":1,"move":"exchange coal metal for wood","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 249, 1767225853.75, CAST('{"event":"moved","seat":2,"move":"take back develop or patent","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 250, 1767225854.25, CAST('{"event":"moved","seat":0,"move":"use exchange market","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 251, 1767225854.75, CAST('{"event":"moved","seat":0,"move":"done","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 252, 1767225855.25, CAST('{"event":"moved","seat":1,"move":"use buy resources","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 253, 1767225855.75, CAST('{"event":"moved","seat":1,"move":"buy wood warehouse 2","then":2,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 254, 1767225856.25, CAST('{"event":"moved","seat":2,"move":"take back buy resources","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 255, 1767225856.75, CAST('{"event":"moved","seat":0,"move":"take back produce inventions","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 256, 1767225857.25, CAST('{"event":"moved","seat":1,"move":"exchange wood metal for technology","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 257, 1767225857.75, CAST('{"event":"moved","seat":1,"move":"exchange wood wood for coin","then":1,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 258, 1767225858.25, CAST('{"event":"moved","seat":1,"move":"exchange metal coin for technology","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 259, 1767225858.75, CAST('{"event":"moved","seat":0,"move":"exchange technology technology for wood","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 260, 1767225859.25, CAST('{"event":"moved","seat":0,"move":"exchange wood technology for coin","then":0,"points":[6,5,4]}' AS BLOB));
INSERT INTO events VALUES ('3YVpTHvYEVK9', 261, 1767225859.75, CAST('{"event":"moved","seat":0,"move":"exchange technology technology for wood","points":[11,13,7]}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 1, 1768007113.75, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"8cdd0f73e097dd0fe9dd104f39c55d428f48beee964fff0fa8daa35d10e0a79c","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"charter":{"clock":"live","bank":1,"turn":30,"when_up":"bot-sits","bot":"random"}}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 2, 1768007113.75, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 3, 1768007114.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 4, 1768007115.0, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 5, 1768007115.0, CAST('{"event":"started","dealt":["yellow","blue","red","red","purple","yellow","purple","purple","purple","black","brown","black","purple","yellow","yellow","red","blue","purple","blue","black","black","red","blue","black","yellow","yellow","brown","yellow","yellow","purple","brown","red","black","yellow","purple","blue","seat 1"]}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 6, 1768007115.5, CAST('{"event":"moved","seat":0,"move":"trade black for 1 purple","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 7, 1768007161.0, CAST('{"event":"timeup","seat":1,"bot":"random","stays":true}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 8, 1768007161.5, CAST('{"event":"moved","seat":1,"move":"trade brown for 2 blue","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('3wvXZ4-KEx3U', 9, 1768007162.0, CAST('{"event":"moved","seat":2,"move":"trade blue for 1 red","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 1, 1769735232.75, CAST('{"event":"opened","game":"legendary-inventors","options":{"teams":"random","cubes":"box","patents_in_run":1},"components":"9bc34113f99377b1637223874f1b8888616c2103f22bbbf2f74f7e1d6cb81e29","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","host":"","rules":"0.1.0","imported":true}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 2, 1769735232.75, CAST('{"event":"seated","seat":0,"person":"","name":"greedy 1"}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 3, 1769735232.75, CAST('{"event":"seated","seat":1,"person":"","name":"greedy 2"}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 4, 1769735232.75, CAST('{"event":"seated","seat":2,"person":"","name":"greedy 3"}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 5, 1769735232.75, CAST('{"event":"seated","seat":3,"person":"","name":"greedy 4"}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 6, 1769735232.75, CAST('{"event":"started","dealt":["team middle-ages","team renaissance","team contemporary-era","team antiquity","seat 3","canoe","smoke-signals","fire","sundial","wheel","cave-painting","axe","token number","token upgrade-3","token points-2","token upgrade-2","token upgrade-3","token upgrade-2","token points-1","token upgrade-3","token genius","token genius","token points-2","token upgrade-4","token upgrade-2","token upgrade-4"]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 7, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Thomas Edison to Canoe","then":3,"points":[0,0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 8, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hypatia to Canoe","then":0,"points":[0,0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 9, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Nicole Oresme to Canoe","then":2,"points":[0,0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 10, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take points-2","then":3,"points":[0,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 11, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take upgrade-2","then":1,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 12, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Stone axe","then":2,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 13, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Sundial","then":3,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 14, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Archimedes in mechanics","then":3,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 15, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Aristotle to Sundial","then":0,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 16, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Fibonacci to Sundial","then":2,"points":[1,0,2,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 17, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take points-2","then":3,"points":[1,0,4,0]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 18, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take patent","then":1,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 19, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Wheel","then":2,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 20, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Nikola Tesla to Wheel","then":3,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 21, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Archimedes to Stone axe","then":0,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 22, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"turn upgrade-4 for Johannes Gutenberg in mathematics","then":0,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 23, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Hildegard of Bingen to Stone axe","then":1,"points":[1,0,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 24, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":3,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 25, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take number","then":1,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 26, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 27, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 28, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"turn number for Hippocrates in physics","then":3,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 29, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"ready","then":0,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 30, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"turn upgrade-3 for Fibonacci in mechanics","then":0,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 31, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 32, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Cave painting","then":2,"points":[1,1,4,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 33, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"turn points-2 for Nikola Tesla in physics","then":2,"points":[1,1,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 34, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Smoke signals","then":3,"points":[1,1,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 35, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hypatia to Wheel","then":1,"points":[1,1,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 36, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":2,"points":[1,3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 37, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take upgrade-3","then":0,"points":[1,3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 38, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Johannes Gutenberg to Cave painting","then":1,"points":[1,3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 39, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Smoke signals","then":2,"points":[1,3,2,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 40, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"upgrade Nikola Tesla in mechanics","then":2,"points":[1,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 41, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Marie Curie to Cave painting","then":0,"points":[1,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 42, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take patent","then":3,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 43, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Archimedes in physics","then":3,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 44, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Aristotle to Fire","then":0,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 45, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Hildegard of Bingen to Fire","then":1,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 46, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"turn genius for Isaac Newton in mathematics","then":1,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 47, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Fire","then":3,"points":[2,3,5,1]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 48, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take patent","then":0,"points":[2,3,5,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 49, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take upgrade-2","drew":["caravel","crossbow","harpsichord","hourglass","fireworks","pistol","printing-press","token points-2","token upgrade-2","token points-2","token upgrade-3","token upgrade-2","token upgrade-2","token points-3","token refresh","token number","token upgrade-2","token upgrade-4","token upgrade-4","token points-2","token upgrade-2"],"then":2,"points":[2,3,5,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 50, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send genius with Nikola Tesla to Printing press","then":2,"points":[2,3,5,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 51, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"place 1 physics 1 chemistry 3 mechanics 1 mathematics","then":3,"points":[2,3,5,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 52, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hippocrates to Printing press","then":2,"points":[2,3,5,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 53, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take points-3","then":3,"points":[2,3,8,2]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 54, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take patent","then":0,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 55, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"upgrade Nicole Oresme in physics","then":0,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 56, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Fibonacci to Medieval crossbow","then":1,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 57, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"turn upgrade-4 for Galileo Galilei in mathematics","then":1,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 58, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 59, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 60, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Archimedes to Harpsichord","then":0,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 61, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 62, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Hourglass","then":2,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 63, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Nikola Tesla to Medieval crossbow","then":2,"points":[2,3,8,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 64, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take patent","then":0,"points":[2,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 65, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take points-2","then":0,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 66, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Nicole Oresme to Pistol","then":1,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 67, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Pistol","then":2,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 68, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Marie Curie to Caravel","then":3,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 69, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hippocrates to Fireworks","then":0,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 70, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Fibonacci to Caravel","then":1,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 71, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 72, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Hourglass","then":3,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 73, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"ready","then":0,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 74, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Johannes Gutenberg to Hourglass","then":1,"points":[4,3,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 75, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":0,"points":[4,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 76, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take points-2","then":1,"points":[6,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 77, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Fireworks","then":2,"points":[6,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 78, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[6,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 79, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Archimedes to Caravel","then":0,"points":[6,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 80, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take patent","then":0,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 81, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 82, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 83, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"upgrade Albert Einstein in physics","then":2,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 84, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"upgrade Albert Einstein in mathematics","then":2,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 85, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Thomas Edison to Pistol","then":3,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 86, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Aristotle in physics","then":3,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 87, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hippocrates to Pistol","then":0,"points":[8,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 88, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take patent","then":1,"points":[11,5,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 89, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take points-2","then":0,"points":[11,7,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 90, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Nicole Oresme to Fireworks","then":3,"points":[11,7,10,4]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 91, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take patent","then":0,"points":[11,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 92, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take number","drew":["zeppelin","photography","quartz-clock","radio","generator","cinematograph","light-bulb","token upgrade-2","token upgrade-3","token points-3","token upgrade-4","token points-1","token refresh","token upgrade-3","token number","token upgrade-3","token points-1","token genius","token points-3","token upgrade-3","token upgrade-2"],"then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 93, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Radio","then":2,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 94, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Zeppelin","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 95, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Aristotle to Radio","then":0,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 96, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Fibonacci to Electric generator","then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 97, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Photography","then":2,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 98, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Nikola Tesla to Cinematograph","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 99, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"ready","then":0,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 100, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Johannes Gutenberg to Light bulb","then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 101, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Light bulb","then":2,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 102, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 103, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Archimedes in mechanics","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 104, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Aristotle to Electric generator","then":0,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 105, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 106, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 107, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Quartz clock","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 108, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hippocrates to Quartz clock","then":0,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 109, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Hildegard of Bingen to Electric generator","then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 110, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"upgrade Isaac Newton in mechanics","then":1,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 111, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Radio","then":2,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 112, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Marie Curie to Light bulb","then":3,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 113, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Archimedes to Light bulb","then":0,"points":[13,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 114, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take patent","then":3,"points":[16,7,10,6]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 115, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take points-3","then":0,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 116, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Johannes Gutenberg to Photography","then":1,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 117, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Photography","then":2,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 118, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 119, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"ready","then":0,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 120, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 121, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"turn genius for Robert Boyle in physics","then":1,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 122, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 123, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Albert Einstein to Cinematograph","then":3,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 124, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hippocrates to Cinematograph","then":2,"points":[16,7,10,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 125, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take patent","then":3,"points":[16,7,13,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 126, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take upgrade-3","then":0,"points":[16,7,13,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 127, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Johannes Gutenberg to Radio","then":1,"points":[16,7,13,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 128, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":3,"points":[16,11,13,9]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 129, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take points-3","then":1,"points":[16,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 130, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Electric generator","then":0,"points":[16,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 131, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"take patent","then":3,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 132, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take upgrade-3","then":2,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 133, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"ready","then":3,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 134, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Archimedes to Zeppelin","then":0,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 135, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"turn upgrade-4 for Nicole Oresme in mechanics","then":0,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 136, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"send Hildegard of Bingen to Zeppelin","then":1,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 137, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"upgrade Isaac Newton in physics","then":1,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 138, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Zeppelin","then":2,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 139, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"send Marie Curie to Zeppelin","then":2,"points":[19,11,13,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 140, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take patent","then":1,"points":[19,11,17,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 141, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"take upgrade-3","then":3,"points":[19,11,17,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 142, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Aristotle in mathematics","then":3,"points":[19,11,17,12]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 143, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Archimedes in physics","then":3,"points":[19,11,17,21]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 144, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"upgrade Aristotle in mathematics","then":3,"points":[19,11,17,27]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 145, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"send Hypatia to Quartz clock","then":3,"points":[19,11,17,27]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 146, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"take patent","then":2,"points":[19,11,17,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 147, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"take points-1","then":0,"points":[19,11,18,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 148, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"done","then":1,"points":[19,11,18,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 149, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"upgrade Isaac Newton in physics","then":1,"points":[19,20,18,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 150, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[19,20,18,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 151, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"done","then":3,"points":[19,20,18,30]}' AS BLOB));
INSERT INTO events VALUES ('52MaBKffefeY', 152, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","points":[19,20,18,30]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 1, 1767225663.0, CAST('{"event":"opened","game":"legendary-inventors","options":{"teams":"choose","cubes":"enough","patents_in_run":1},"components":"9bc34113f99377b1637223874f1b8888616c2103f22bbbf2f74f7e1d6cb81e29","places":[{"kind":"link"},{"kind":"link"}],"commitment":"4f0f8922bc4c3bdd92b5e13405c37c260c4b1266eda667f0eb0930f20623d148","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 2, 1767225663.0, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 3, 1767225663.75, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 4, 1767225663.75, CAST('{"event":"started"}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 5, 1767225664.25, CAST('{"event":"moved","seat":0,"move":"choose Antiquity","then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 6, 1767225664.75, CAST('{"event":"moved","seat":1,"move":"choose Renaissance","drew":["seat 2","oil-lamp","axe","fire","sundial","cave-painting","token number","token upgrade-2","token points-1","token upgrade-2","token refresh","token upgrade-3","token points-2","token points-1","token number","token upgrade-4"],"told":true,"then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 7, 1767225665.25, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Oil lamp","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 8, 1767225665.75, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Cave painting","then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 9, 1767225666.25, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Sundial","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 10, 1767225666.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Sundial","then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 11, 1767225667.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Robert Boyle to Oil lamp","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 12, 1767225667.75, CAST('{"event":"moved","seat":0,"move":"send Hypatia to Cave painting","then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 13, 1767225668.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Sundial","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 14, 1767225668.75, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Stone axe","then":1,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 15, 1767225669.25, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Stone axe","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 16, 1767225669.75, CAST('{"event":"moved","seat":0,"move":"send Hypatia to Sundial","then":0,"points":[0,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 17, 1767225670.25, CAST('{"event":"moved","seat":0,"move":"take patent","then":1,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 18, 1767225670.75, CAST('{"event":"moved","seat":1,"move":"take refresh","then":1,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 19, 1767225671.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Fire","then":0,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 20, 1767225671.75, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Fire","then":1,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 21, 1767225672.25, CAST('{"event":"moved","seat":1,"move":"turn refresh for Blaise Pascal in chemistry","then":1,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 22, 1767225672.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Fire","then":0,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 23, 1767225673.25, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Oil lamp","then":1,"points":[1,0]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 24, 1767225673.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":0,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 25, 1767225674.25, CAST('{"event":"moved","seat":0,"move":"take upgrade-4","then":1,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 26, 1767225674.75, CAST('{"event":"moved","seat":1,"move":"ready","then":0,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 27, 1767225675.25, CAST('{"event":"moved","seat":0,"move":"turn upgrade-4 for Hypatia in mechanics","then":0,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 28, 1767225675.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Stone axe","then":1,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 29, 1767225676.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Fire","then":1,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 30, 1767225676.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Cave painting","then":0,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 31, 1767225677.25, CAST('{"event":"moved","seat":0,"move":"take upgrade-2","then":1,"points":[1,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 32, 1767225677.75, CAST('{"event":"moved","seat":1,"move":"take points-1","then":0,"points":[1,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 33, 1767225678.25, CAST('{"event":"moved","seat":0,"move":"upgrade Archimedes in mechanics","then":0,"points":[1,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 34, 1767225678.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Fire","then":1,"points":[1,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 35, 1767225679.25, CAST('{"event":"moved","seat":1,"move":"take points-1","then":0,"points":[1,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 36, 1767225679.75, CAST('{"event":"moved","seat":0,"move":"take patent","drew":["steam-engine","caravel","printing-press","optical-telegraph","windmill","token upgrade-4","token upgrade-4","token upgrade-2","token points-1","token upgrade-2","token refresh","token points-3","token upgrade-2","token points-2","token points-3"],"told":true,"then":1,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 37, 1767225680.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Galileo Galilei to Steam engine","then":1,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 38, 1767225680.75, CAST('{"event":"moved","seat":1,"move":"place 0 physics 1 chemistry 0 mechanics 0 mathematics","then":0,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 39, 1767225681.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Archimedes to Windmill","then":0,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 40, 1767225681.75, CAST('{"event":"moved","seat":0,"move":"place 1 physics 0 chemistry 0 mechanics 0 mathematics","then":1,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 41, 1767225682.25, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Printing press","then":0,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 42, 1767225682.75, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Windmill","then":1,"points":[2,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 43, 1767225683.25, CAST('{"event":"moved","seat":1,"move":"turn points-1 for Robert Boyle in mechanics","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 44, 1767225683.75, CAST('{"event":"moved","seat":1,"move":"ready","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 45, 1767225684.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Hypatia to Steam engine","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 46, 1767225684.75, CAST('{"event":"moved","seat":0,"move":"place 0 physics 0 chemistry 0 mechanics 1 mathematics","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 47, 1767225685.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Printing press","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 48, 1767225685.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Steam engine","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 49, 1767225686.25, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Caravel","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 50, 1767225686.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Steam engine","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 51, 1767225687.25, CAST('{"event":"moved","seat":0,"move":"send Hypatia to Printing press","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 52, 1767225687.75, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Optical telegraph","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 53, 1767225688.25, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Printing press","then":1,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 54, 1767225688.75, CAST('{"event":"moved","seat":1,"move":"take upgrade-2","then":0,"points":[2,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 55, 1767225689.25, CAST('{"event":"moved","seat":0,"move":"take patent","then":1,"points":[4,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 56, 1767225689.75, CAST('{"event":"moved","seat":1,"move":"turn upgrade-2 for Isaac Newton in mathematics","then":1,"points":[4,2]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 57, 1767225690.25, CAST('{"event":"moved","seat":1,"move":"turn points-1 for Robert Boyle in mathematics","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 58, 1767225690.75, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Caravel","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 59, 1767225691.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Isaac Newton to Windmill","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 60, 1767225691.75, CAST('{"event":"moved","seat":1,"move":"place 0 physics 0 chemistry 0 mechanics 1 mathematics","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 61, 1767225692.25, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Windmill","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 62, 1767225692.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Optical telegraph","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 63, 1767225693.25, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Optical telegraph","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 64, 1767225693.75, CAST('{"event":"moved","seat":0,"move":"send fewer with Archimedes to Caravel","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 65, 1767225694.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Blaise Pascal to Caravel","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 66, 1767225694.75, CAST('{"event":"moved","seat":1,"move":"place 0 physics 0 chemistry 1 mechanics 0 mathematics","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 67, 1767225695.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Hypatia to Caravel","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 68, 1767225695.75, CAST('{"event":"moved","seat":0,"move":"place 0 physics 0 chemistry 0 mechanics 1 mathematics","then":0,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 69, 1767225696.25, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Steam engine","then":1,"points":[4,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 70, 1767225696.75, CAST('{"event":"moved","seat":1,"move":"take points-2","then":0,"points":[4,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 71, 1767225697.25, CAST('{"event":"moved","seat":0,"move":"take patent","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 72, 1767225697.75, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Caravel","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 73, 1767225698.25, CAST('{"event":"moved","seat":0,"move":"take upgrade-4","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 74, 1767225698.75, CAST('{"event":"moved","seat":1,"move":"take upgrade-4","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 75, 1767225699.25, CAST('{"event":"moved","seat":0,"move":"turn upgrade-4 for Aristotle in mechanics","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 76, 1767225699.75, CAST('{"event":"moved","seat":1,"move":"turn upgrade-4 for Isaac Newton in chemistry","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 77, 1767225700.25, CAST('{"event":"moved","seat":1,"move":"turn points-2 for Galileo Galilei in mechanics","then":1,"points":[6,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 78, 1767225700.75, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Windmill","then":0,"points":[6,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 79, 1767225701.25, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Windmill","then":1,"points":[6,1]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 80, 1767225701.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 81, 1767225702.25, CAST('{"event":"moved","seat":0,"move":"take upgrade-2","drew":["radio","pocket-watch","quartz-clock","zeppelin","revolver","token upgrade-2","token refresh","token upgrade-2","token upgrade-4","token upgrade-4","token refresh","token points-3","token upgrade-4","token points-1","token upgrade-2"],"told":true,"then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 82, 1767225702.75, CAST('{"event":"moved","seat":1,"move":"send fewer with Robert Boyle to Zeppelin","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 83, 1767225703.25, CAST('{"event":"moved","seat":1,"move":"place 0 physics 1 chemistry 0 mechanics 0 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 84, 1767225703.75, CAST('{"event":"moved","seat":0,"move":"turn upgrade-2 for Hypatia in physics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 85, 1767225704.25, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Zeppelin","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 86, 1767225704.75, CAST('{"event":"moved","seat":1,"move":"send fewer with Galileo Galilei to Revolver","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 87, 1767225705.25, CAST('{"event":"moved","seat":1,"move":"place 1 physics 0 chemistry 0 mechanics 0 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 88, 1767225705.75, CAST('{"event":"moved","seat":0,"move":"send fewer with Hippocrates to Revolver","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 89, 1767225706.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Hypatia to Revolver","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 90, 1767225706.75, CAST('{"event":"moved","seat":0,"move":"place 0 physics 0 chemistry 0 mechanics 1 mathematics","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 91, 1767225707.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Revolver","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 92, 1767225707.75, CAST('{"event":"moved","seat":1,"move":"send fewer with Robert Boyle to Quartz clock","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 93, 1767225708.25, CAST('{"event":"moved","seat":1,"move":"place 0 physics 0 chemistry 0 mechanics 1 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 94, 1767225708.75, CAST('{"event":"moved","seat":0,"move":"send Hypatia to Pocket watch","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 95, 1767225709.25, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Quartz clock","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 96, 1767225709.75, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Zeppelin","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 97, 1767225710.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Galileo Galilei to Quartz clock","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 98, 1767225710.75, CAST('{"event":"moved","seat":1,"move":"place 0 physics 1 chemistry 0 mechanics 0 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 99, 1767225711.25, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Pocket watch","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 100, 1767225711.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Zeppelin","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 101, 1767225712.25, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Pocket watch","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 102, 1767225712.75, CAST('{"event":"moved","seat":1,"move":"send Galileo Galilei to Quartz clock","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 103, 1767225713.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Aristotle to Radio","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 104, 1767225713.75, CAST('{"event":"moved","seat":0,"move":"place 1 physics 0 chemistry 0 mechanics 1 mathematics","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 105, 1767225714.25, CAST('{"event":"moved","seat":1,"move":"ready","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 106, 1767225714.75, CAST('{"event":"moved","seat":0,"move":"send fewer with Hypatia to Revolver","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 107, 1767225715.25, CAST('{"event":"moved","seat":0,"move":"place 0 physics 0 chemistry 1 mechanics 0 mathematics","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 108, 1767225715.75, CAST('{"event":"moved","seat":1,"move":"send fewer with Galileo Galilei to Radio","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 109, 1767225716.25, CAST('{"event":"moved","seat":1,"move":"place 0 physics 1 chemistry 1 mechanics 0 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 110, 1767225716.75, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Radio","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 111, 1767225717.25, CAST('{"event":"moved","seat":1,"move":"send fewer with Robert Boyle to Revolver","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 112, 1767225717.75, CAST('{"event":"moved","seat":1,"move":"place 0 physics 0 chemistry 1 mechanics 0 mathematics","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 113, 1767225718.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Hippocrates to Zeppelin","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 114, 1767225718.75, CAST('{"event":"moved","seat":1,"move":"send fewer with Isaac Newton to Quartz clock","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 115, 1767225719.25, CAST('{"event":"moved","seat":1,"move":"place 1 physics 0 chemistry 0 mechanics 0 mathematics","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 116, 1767225719.75, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Radio","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 117, 1767225720.25, CAST('{"event":"moved","seat":0,"move":"send fewer with Archimedes to Pocket watch","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 118, 1767225720.75, CAST('{"event":"moved","seat":0,"move":"send Aristotle to Quartz clock","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 119, 1767225721.25, CAST('{"event":"moved","seat":1,"move":"send Isaac Newton to Radio","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 120, 1767225721.75, CAST('{"event":"moved","seat":0,"move":"send Hippocrates to Zeppelin","then":0,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 121, 1767225722.25, CAST('{"event":"moved","seat":0,"move":"take upgrade-4","then":1,"points":[6,3]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 122, 1767225722.75, CAST('{"event":"moved","seat":1,"move":"take patent","then":1,"points":[6,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 123, 1767225723.25, CAST('{"event":"moved","seat":1,"move":"ready","then":0,"points":[6,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 124, 1767225723.75, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[6,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 125, 1767225724.25, CAST('{"event":"moved","seat":1,"move":"send Blaise Pascal to Revolver","then":1,"points":[6,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 126, 1767225724.75, CAST('{"event":"moved","seat":1,"move":"take refresh","then":0,"points":[6,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 127, 1767225725.25, CAST('{"event":"moved","seat":0,"move":"take patent","then":0,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 128, 1767225725.75, CAST('{"event":"moved","seat":0,"move":"send Archimedes to Radio","then":0,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 129, 1767225726.25, CAST('{"event":"moved","seat":0,"move":"take refresh","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 130, 1767225726.75, CAST('{"event":"moved","seat":1,"move":"take upgrade-4","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 131, 1767225727.25, CAST('{"event":"moved","seat":1,"move":"send Robert Boyle to Quartz clock","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 132, 1767225727.75, CAST('{"event":"moved","seat":1,"move":"take upgrade-2","then":0,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 133, 1767225728.25, CAST('{"event":"moved","seat":0,"move":"take points-1","then":0,"points":[10,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 134, 1767225728.75, CAST('{"event":"moved","seat":0,"move":"turn points-1 for Hippocrates in mathematics","then":0,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 135, 1767225729.25, CAST('{"event":"moved","seat":0,"move":"turn upgrade-4 for Archimedes in mathematics","then":0,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 136, 1767225729.75, CAST('{"event":"moved","seat":0,"move":"turn refresh for Hippocrates in physics","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 137, 1767225730.25, CAST('{"event":"moved","seat":1,"move":"turn upgrade-4 for Robert Boyle in physics","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 138, 1767225730.75, CAST('{"event":"moved","seat":1,"move":"upgrade Galileo Galilei in chemistry","then":1,"points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('6Lc-Oj3QhyYx', 139, 1767225731.25, CAST('{"event":"moved","seat":1,"move":"turn refresh for Blaise Pascal in physics","points":[9,6]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 1, 1767225603.0, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"14e36e49956d9386e079d6ce165707ecc3716f5524be9de91aae4cf78639614b","places":[{"kind":"link"},{"kind":"link"},{"kind":"open"}],"commitment":"4bba68911be8808837d2843e753a4ee46cb0bc28cb9ba18b5ed4ee8406a067b0","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 2, 1767225603.0, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada on the go"}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 3, 1767225603.0, CAST('{"event":"botseated","seat":2,"bot":"greedy","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 4, 1767225603.75, CAST('{"event":"stirred","seat":0,"text":"seven of nine"}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 5, 1767225604.25, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 6, 1767225604.25, CAST('{"event":"stirred","seat":1,"text":"ein Würfel"}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 7, 1767225604.25, CAST('{"event":"started","dealt":["yellow","brown","brown","black","purple","brown","red","blue","yellow","red","purple","red","yellow","black","black","red","blue","purple","blue","red","yellow","yellow","brown","black","yellow","blue","purple","red","purple","purple","purple","brown","blue","red","black","yellow","seat 1"]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 8, 1767225604.75, CAST('{"event":"moved","seat":0,"move":"build red Le Mans NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 9, 1767225605.25, CAST('{"event":"moved","seat":0,"move":"build red Le Mans","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 10, 1767225605.75, CAST('{"event":"moved","seat":0,"move":"build red Angers","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 11, 1767225606.25, CAST('{"event":"moved","seat":0,"move":"build red Rennes SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 12, 1767225606.75, CAST('{"event":"moved","seat":0,"move":"build red Rennes","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 13, 1767225607.25, CAST('{"event":"moved","seat":1,"move":"build purple Reims","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 14, 1767225607.75, CAST('{"event":"moved","seat":1,"move":"build purple Reims NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 15, 1767225608.25, CAST('{"event":"moved","seat":1,"move":"build purple Reims E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 16, 1767225608.75, CAST('{"event":"moved","seat":1,"move":"build purple Metz","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 17, 1767225609.25, CAST('{"event":"moved","seat":1,"move":"build purple Reims SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 18, 1767225609.75, CAST('{"event":"moved","seat":2,"move":"build red Nantes","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 19, 1767225610.25, CAST('{"event":"moved","seat":2,"move":"build red Rennes SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 20, 1767225610.75, CAST('{"event":"moved","seat":2,"move":"build red Caen E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 21, 1767225611.25, CAST('{"event":"moved","seat":2,"move":"build red Rennes NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 22, 1767225611.75, CAST('{"event":"moved","seat":2,"move":"build red Nantes SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 23, 1767225612.25, CAST('{"event":"moved","seat":0,"move":"build blue Orléans","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 24, 1767225612.75, CAST('{"event":"moved","seat":0,"move":"build blue Tours E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 25, 1767225613.25, CAST('{"event":"moved","seat":0,"move":"build blue Bourges SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 26, 1767225613.75, CAST('{"event":"moved","seat":0,"move":"build blue Le Mans E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 27, 1767225614.25, CAST('{"event":"moved","seat":0,"move":"build blue Troyes","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 28, 1767225614.75, CAST('{"event":"moved","seat":1,"move":"build red Rennes W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 29, 1767225615.25, CAST('{"event":"moved","seat":1,"move":"build red Tours","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 30, 1767225615.75, CAST('{"event":"moved","seat":1,"move":"build red Poitiers W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 31, 1767225616.25, CAST('{"event":"moved","seat":1,"move":"build red Le Havre","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 32, 1767225616.75, CAST('{"event":"moved","seat":1,"move":"build red La Rochelle","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 33, 1767225617.25, CAST('{"event":"moved","seat":2,"move":"build red Rouen","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 34, 1767225617.75, CAST('{"event":"moved","seat":2,"move":"build red Amiens W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 35, 1767225618.25, CAST('{"event":"moved","seat":2,"move":"build red La Rochelle E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 36, 1767225618.75, CAST('{"event":"moved","seat":2,"move":"build red Lorient","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 37, 1767225619.25, CAST('{"event":"moved","seat":2,"move":"build red Caen","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 38, 1767225619.75, CAST('{"event":"moved","seat":0,"move":"build red Cherbourg","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 39, 1767225620.25, CAST('{"event":"moved","seat":0,"move":"build red Tours E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 40, 1767225620.75, CAST('{"event":"moved","seat":0,"move":"build red Nantes E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 41, 1767225621.25, CAST('{"event":"moved","seat":0,"move":"build red Bourges SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 42, 1767225621.75, CAST('{"event":"moved","seat":0,"move":"build red Limoges W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 43, 1767225622.25, CAST('{"event":"moved","seat":1,"move":"build purple Troyes E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 44, 1767225622.75, CAST('{"event":"moved","seat":1,"move":"build purple Amiens","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 45, 1767225623.25, CAST('{"event":"moved","seat":1,"move":"build purple Nancy","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 46, 1767225623.75, CAST('{"event":"moved","seat":1,"move":"build purple Nancy SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 47, 1767225624.25, CAST('{"event":"moved","seat":1,"move":"build purple Lille","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 48, 1767225624.75, CAST('{"event":"moved","seat":2,"move":"build blue Poitiers E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 49, 1767225625.25, CAST('{"event":"moved","seat":2,"move":"build blue Troyes E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 50, 1767225625.75, CAST('{"event":"moved","seat":2,"move":"build blue Orléans E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 51, 1767225626.25, CAST('{"event":"moved","seat":2,"move":"build blue Bourges SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 52, 1767225626.75, CAST('{"event":"moved","seat":2,"move":"build blue Clermont-Ferrand NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 53, 1767225627.25, CAST('{"event":"moved","seat":0,"move":"build purple Troyes SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 54, 1767225627.75, CAST('{"event":"moved","seat":0,"move":"build purple Orléans E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 55, 1767225628.25, CAST('{"event":"moved","seat":0,"move":"build purple Dijon","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 56, 1767225628.75, CAST('{"event":"moved","seat":0,"move":"build purple Lille SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 57, 1767225629.25, CAST('{"event":"moved","seat":0,"move":"build purple Mulhouse NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 58, 1767225629.75, CAST('{"event":"moved","seat":1,"move":"build blue Dijon SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 59, 1767225630.25, CAST('{"event":"moved","seat":1,"move":"build blue Nancy W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 60, 1767225630.75, CAST('{"event":"moved","seat":1,"move":"build blue Besançon SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 61, 1767225631.25, CAST('{"event":"moved","seat":1,"move":"build blue Bourges","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 62, 1767225631.75, CAST('{"event":"moved","seat":1,"move":"build blue Besançon","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 63, 1767225632.25, CAST('{"event":"moved","seat":2,"move":"build blue Besançon SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 64, 1767225632.75, CAST('{"event":"moved","seat":2,"move":"build blue Limoges NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 65, 1767225633.25, CAST('{"event":"moved","seat":2,"move":"build blue Limoges E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 66, 1767225633.75, CAST('{"event":"moved","seat":2,"move":"build blue Troyes SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 67, 1767225634.25, CAST('{"event":"moved","seat":2,"move":"build blue Lyon NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 68, 1767225634.75, CAST('{"event":"moved","seat":0,"move":"build blue Bourges E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 69, 1767225635.25, CAST('{"event":"moved","seat":0,"move":"build blue Limoges SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 70, 1767225635.75, CAST('{"event":"moved","seat":0,"move":"build blue Clermont-Ferrand SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 71, 1767225636.25, CAST('{"event":"moved","seat":0,"move":"build blue Saint-Étienne","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 72, 1767225636.75, CAST('{"event":"moved","seat":0,"move":"build blue Reims E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 73, 1767225637.25, CAST('{"event":"moved","seat":1,"move":"build blue Le Mans NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 74, 1767225637.75, CAST('{"event":"moved","seat":1,"move":"build blue Poitiers","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 75, 1767225638.25, CAST('{"event":"moved","seat":2,"move":"build purple Dijon SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 76, 1767225638.75, CAST('{"event":"moved","seat":2,"move":"build purple Mulhouse W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 77, 1767225639.25, CAST('{"event":"moved","seat":2,"move":"build purple Clermont-Ferrand NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 78, 1767225639.75, CAST('{"event":"moved","seat":2,"move":"build purple Bourges SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 79, 1767225640.25, CAST('{"event":"moved","seat":2,"move":"build purple Clermont-Ferrand","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 80, 1767225640.75, CAST('{"event":"moved","seat":0,"move":"build purple Strasbourg W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 81, 1767225641.25, CAST('{"event":"moved","seat":0,"move":"build purple Clermont-Ferrand SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 82, 1767225641.75, CAST('{"event":"moved","seat":0,"move":"build purple Bourges E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 83, 1767225642.25, CAST('{"event":"moved","seat":0,"move":"build purple Mulhouse","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 84, 1767225642.75, CAST('{"event":"moved","seat":0,"move":"build purple Besançon E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 85, 1767225643.25, CAST('{"event":"moved","seat":1,"move":"build yellow Amiens W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 86, 1767225643.75, CAST('{"event":"moved","seat":1,"move":"build yellow Calais","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 87, 1767225644.25, CAST('{"event":"moved","seat":2,"move":"build brown Reims SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 88, 1767225644.75, CAST('{"event":"moved","seat":2,"move":"build brown Nancy W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 89, 1767225645.25, CAST('{"event":"moved","seat":2,"move":"build brown Nancy SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 90, 1767225645.75, CAST('{"event":"moved","seat":2,"move":"build brown Mulhouse NW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 91, 1767225646.25, CAST('{"event":"moved","seat":2,"move":"build brown Besançon NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 92, 1767225646.75, CAST('{"event":"moved","seat":0,"move":"build brown Mulhouse W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 93, 1767225647.25, CAST('{"event":"moved","seat":0,"move":"build brown Strasbourg W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 94, 1767225647.75, CAST('{"event":"moved","seat":0,"move":"build brown Besançon E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 95, 1767225648.25, CAST('{"event":"moved","seat":0,"move":"build brown Besançon SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 96, 1767225648.75, CAST('{"event":"moved","seat":0,"move":"build brown Strasbourg","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 97, 1767225649.25, CAST('{"event":"moved","seat":1,"move":"build brown Besançon SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 98, 1767225649.75, CAST('{"event":"moved","seat":1,"move":"build brown Lyon NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 99, 1767225650.25, CAST('{"event":"moved","seat":1,"move":"build brown Lyon NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 100, 1767225650.75, CAST('{"event":"moved","seat":1,"move":"build brown Lyon","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 101, 1767225651.25, CAST('{"event":"moved","seat":1,"move":"build brown Grenoble","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 102, 1767225651.75, CAST('{"event":"moved","seat":2,"move":"build brown Strasbourg SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 103, 1767225652.25, CAST('{"event":"moved","seat":2,"move":"build brown Besançon SE2","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 104, 1767225652.75, CAST('{"event":"moved","seat":2,"move":"build brown Lyon SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 105, 1767225653.25, CAST('{"event":"moved","seat":2,"move":"build brown Lyon E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 106, 1767225653.75, CAST('{"event":"moved","seat":2,"move":"build brown Grenoble SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 107, 1767225654.25, CAST('{"event":"moved","seat":0,"move":"build black Caen E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 108, 1767225654.75, CAST('{"event":"moved","seat":0,"move":"build black Caen SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 109, 1767225655.25, CAST('{"event":"moved","seat":0,"move":"build black Rennes E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 110, 1767225655.75, CAST('{"event":"moved","seat":0,"move":"build black Rennes NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 111, 1767225656.25, CAST('{"event":"moved","seat":0,"move":"build black Rennes SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 112, 1767225656.75, CAST('{"event":"moved","seat":1,"move":"build black Nantes E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 113, 1767225657.25, CAST('{"event":"moved","seat":1,"move":"build black Rennes SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 114, 1767225657.75, CAST('{"event":"moved","seat":1,"move":"build black Tours W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 115, 1767225658.25, CAST('{"event":"moved","seat":1,"move":"build black Saint-Malo","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 116, 1767225658.75, CAST('{"event":"moved","seat":1,"move":"build black Rennes W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 117, 1767225659.25, CAST('{"event":"moved","seat":2,"move":"build black Brest E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 118, 1767225659.75, CAST('{"event":"moved","seat":2,"move":"build black Nantes SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 119, 1767225660.25, CAST('{"event":"moved","seat":2,"move":"build black Poitiers W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 120, 1767225660.75, CAST('{"event":"moved","seat":2,"move":"build black La Rochelle E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 121, 1767225661.25, CAST('{"event":"moved","seat":2,"move":"build black Brest","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 122, 1767225661.75, CAST('{"event":"moved","seat":0,"move":"build brown Grenoble SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 123, 1767225662.25, CAST('{"event":"moved","seat":0,"move":"build brown Nîmes","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 124, 1767225662.75, CAST('{"event":"moved","seat":0,"move":"build brown Marseille","points":[93,86,75]}' AS BLOB));
INSERT INTO events VALUES ('8yA0OeF2FQgc', 125, 1767225866.0, CAST('{"event":"rematchopened","table":"IjpyIFqgrTxA"}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 1, 1769735163.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"8d6571ebd5839aefccbee075c991ce72cba112237b9c9ddf90d3340d84fd12aa","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 2, 1769735163.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 3, 1769735164.0, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 4, 1769735164.5, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 5, 1769735164.5, CAST('{"event":"started","dealt":["blue","blue","yellow","purple","black","black","yellow","yellow","yellow","yellow","red","blue","black","purple","purple","red","black","yellow","yellow","blue","blue","brown","red","brown","purple","yellow","blue","red","yellow","blue","black","red","yellow","blue","brown","purple","seat 2"]}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 6, 1769735165.0, CAST('{"event":"moved","seat":1,"move":"trade red for 2 blue","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 7, 1769735165.5, CAST('{"event":"moved","seat":2,"move":"trade purple for 2 brown","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 8, 1769735166.0, CAST('{"event":"moved","seat":0,"move":"build blue Le Mans NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 9, 1769735166.5, CAST('{"event":"stepslost","steps":2}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 10, 1769735166.5, CAST('{"event":"stepslost"}' AS BLOB));
INSERT INTO events VALUES ('B6er7VCxPjyE', 11, 1769735166.5, CAST('{"event":"stepslost"}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 1, 1769735237.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"3b0aa6ead331c6ac7dcb62b9ee112478787cfb310a5242411fd0913047bb8a73","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 2, 1769735237.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 3, 1769735238.0, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 4, 1769735238.5, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 5, 1769735238.5, CAST('{"event":"started","dealt":["yellow","brown","black","red","brown","black","red","yellow","brown","red","red","purple","blue","brown","blue","purple","black","red","black","brown","blue","brown","yellow","blue","brown","black","blue","black","yellow","black","black","red","yellow","purple","blue","brown","seat 2"]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 6, 1769735239.0, CAST('{"event":"moved","seat":1,"move":"build purple Le Mans NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 7, 1769735239.5, CAST('{"event":"moved","seat":1,"move":"build purple Caen E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 8, 1769735240.0, CAST('{"event":"moved","seat":1,"move":"build purple Caen","then":1,"points":[99,99,99]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 9, 1769735240.5, CAST('{"event":"moved","seat":1,"move":"build purple Le Mans E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 10, 1769735241.0, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('DnkE8hsm2PLH', 11, 1769735246.75, CAST('{"event":"frozen","version":8,"message":{"type":"Message","text":"The move “{move}” scores differently.","values":{"move":"build purple Caen"}}}' AS BLOB));
INSERT INTO events VALUES ('IjpyIFqgrTxA', 1, 1767225865.5, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"14e36e49956d9386e079d6ce165707ecc3716f5524be9de91aae4cf78639614b","places":[{"kind":"kept","person":"RcgKMv6-OMg2","name":"Ada on the go"},{"kind":"link"},{"kind":"open"}],"commitment":"988068a2a0b9036074f2e4e365672a36855b9f4bc1b1cf075b68e031d49ff00e","host":"fBpK4oTY-2rz","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('IjpyIFqgrTxA', 2, 1767225865.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('IjpyIFqgrTxA', 3, 1767225865.5, CAST('{"event":"botseated","seat":2,"bot":"greedy","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('IjpyIFqgrTxA', 4, 1767225866.5, CAST('{"event":"stirred","seat":1,"text":"noch ein Würfel"}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 1, 1767229498.75, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"799869d08baa758847a82f199ab0840db9a5993fdae02a212b18e14e00b24e0b","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"charter":{"clock":"days","turn":43200,"opens":9,"closes":21,"zone":"Europe/Berlin","holidays":7,"when_up":"bot-plays"}}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 2, 1767229498.75, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 3, 1767229499.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 4, 1767229500.0, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 5, 1767229500.0, CAST('{"event":"started","dealt":["red","purple","yellow","yellow","black","yellow","red","black","yellow","blue","purple","brown","black","purple","red","red","yellow","purple","blue","blue","purple","black","blue","blue","yellow","blue","blue","blue","red","black","blue","red","black","yellow","brown","purple","seat 3"]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 6, 1767229500.5, CAST('{"event":"moved","seat":2,"move":"trade yellow for 2 brown","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 7, 1767229501.0, CAST('{"event":"moved","seat":0,"move":"build blue Reims","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 8, 1767229501.5, CAST('{"event":"moved","seat":0,"move":"build blue Reims SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 9, 1767229502.0, CAST('{"event":"moved","seat":0,"move":"done","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 10, 1767229502.5, CAST('{"event":"holidaytaken","seat":1,"since":1767394800.0,"until":1767567600.0,"days":2}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 11, 1767229503.0, CAST('{"event":"moved","seat":1,"move":"build blue Lille SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 12, 1767229503.5, CAST('{"event":"moved","seat":1,"move":"build blue Troyes","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 13, 1767229504.0, CAST('{"event":"moved","seat":1,"move":"build blue Amiens","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 14, 1767229504.5, CAST('{"event":"moved","seat":1,"move":"build blue Lille","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 15, 1767229505.0, CAST('{"event":"moved","seat":1,"move":"build blue Orléans E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 16, 1768007105.25, CAST('{"event":"clockstood","since":1767229505.0}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 17, 1768007106.0, CAST('{"event":"moved","seat":2,"move":"trade blue for 1 red","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 18, 1768007107.0, CAST('{"event":"abortasked","seat":0}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 19, 1768007107.5, CAST('{"event":"abortagreed","seat":1}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 20, 1768007108.0, CAST('{"event":"abortagreed","seat":2}' AS BLOB));
INSERT INTO events VALUES ('KW126tNKNoQ-', 21, 1768007108.0, CAST('{"event":"aborted"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 1, 1767225866.75, CAST('{"event":"opened","game":"legendary-inventors","options":{"teams":"choose","cubes":"enough","patents_in_run":1},"components":"9bc34113f99377b1637223874f1b8888616c2103f22bbbf2f74f7e1d6cb81e29","places":[{"kind":"link"},{"kind":"open"},{"kind":"link"}],"commitment":"5c81bbd108cbaa333b635236703e5e3846692e20f9b37cb047c7b2a419466501","host":"RcgKMv6-OMg2","watch":"link","rules":"0.1.0"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 2, 1767225866.75, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 3, 1767225867.5, CAST('{"event":"linksrenewed","seat":2}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 4, 1767225868.0, CAST('{"event":"watchlinksrenewed"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 5, 1767225868.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 6, 1767225869.0, CAST('{"event":"left","seat":1}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 7, 1767225869.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 8, 1767225870.0, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 9, 1767225870.0, CAST('{"event":"started"}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 10, 1767225870.5, CAST('{"event":"moved","seat":0,"move":"choose Modern era","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 11, 1767225871.0, CAST('{"event":"moved","seat":1,"move":"choose Antiquity","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 12, 1767225871.5, CAST('{"event":"moved","seat":2,"move":"choose Middle Ages","drew":["seat 3","oil-lamp","sundial","bow","wheel","cave-painting","axe","token genius","token points-3","token refresh","token upgrade-3","token upgrade-2","token number","token genius","token points-2","token upgrade-2","token genius","token upgrade-3","token upgrade-2"],"told":true,"then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 13, 1767225872.0, CAST('{"event":"moved","seat":2,"move":"send Hildegard of Bingen to Sundial","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 14, 1767225872.5, CAST('{"event":"moved","seat":0,"move":"send fewer with Antoine Lavoisier to Oil lamp","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 15, 1767225873.0, CAST('{"event":"moved","seat":1,"move":"send fewer with Archimedes to Bow","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 16, 1767225873.5, CAST('{"event":"moved","seat":1,"move":"place 1 physics 0 chemistry 0 mechanics 0 mathematics","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 17, 1767225874.0, CAST('{"event":"moved","seat":2,"move":"send fewer with Nicole Oresme to Stone axe","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 18, 1767225874.5, CAST('{"event":"moved","seat":2,"move":"place 1 physics 0 chemistry 0 mechanics 0 mathematics","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 19, 1767225875.0, CAST('{"event":"moved","seat":0,"move":"send Benjamin Franklin to Cave painting","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 20, 1767225875.5, CAST('{"event":"moved","seat":1,"move":"ready","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 21, 1767225876.0, CAST('{"event":"moved","seat":2,"move":"send Johannes Gutenberg to Cave painting","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 22, 1767225876.5, CAST('{"event":"moved","seat":0,"move":"send James Watt to Bow","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 23, 1767225877.0, CAST('{"event":"moved","seat":1,"move":"send fewer with Aristotle to Sundial","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 24, 1767225877.5, CAST('{"event":"undone","seat":1,"to":13}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 25, 1767225878.0, CAST('{"event":"undoasked","seat":0,"to":12}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 26, 1767225878.5, CAST('{"event":"undorefused","seat":1}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 27, 1767225879.0, CAST('{"event":"undoasked","seat":0,"to":12}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 28, 1767225879.5, CAST('{"event":"undoagreed","seat":1}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 29, 1767225880.0, CAST('{"event":"undoagreed","seat":2}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 30, 1767225880.0, CAST('{"event":"undone","seat":0,"to":12}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 31, 1767225880.5, CAST('{"event":"abortasked","seat":1}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 32, 1767225881.0, CAST('{"event":"abortrefused","seat":0}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 33, 1767229481.5, CAST('{"event":"moved","seat":0,"move":"ready","then":1,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 34, 1767229482.0, CAST('{"event":"moved","seat":1,"move":"send Aristotle to Wheel","then":2,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 35, 1767229482.5, CAST('{"event":"moved","seat":2,"move":"ready","then":0,"points":[0,0,0]}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 36, 1767229483.0, CAST('{"event":"handoutasked","seat":2}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 37, 1767229483.5, CAST('{"event":"handoutrefused","seat":2}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 38, 1767229484.0, CAST('{"event":"left","seat":2}' AS BLOB));
INSERT INTO events VALUES ('T3D8Eao5tnnc', 39, 1767229484.5, CAST('{"event":"replaced","seat":2,"bot":"random","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 1, 1768007108.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"4874e5abec0d3413a2d575fb048ded8b4de24ba8b308d9e4d10f8f53f1785f2e","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"charter":{"clock":"live","bank":1200,"turn":30}}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 2, 1768007108.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 3, 1768007109.0, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 4, 1768007109.5, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 5, 1768007109.5, CAST('{"event":"started","dealt":["black","brown","yellow","brown","black","brown","black","red","purple","brown","yellow","brown","purple","red","blue","yellow","purple","purple","brown","black","brown","red","blue","black","yellow","blue","blue","purple","yellow","purple","brown","red","blue","yellow","black","purple","seat 3"]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 6, 1768007110.0, CAST('{"event":"moved","seat":2,"move":"trade blue for 1 purple","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 7, 1768007110.5, CAST('{"event":"moved","seat":0,"move":"trade purple for 1 blue","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 8, 1768007111.0, CAST('{"event":"moved","seat":1,"move":"trade purple for 2 black","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 9, 1768007111.5, CAST('{"event":"moved","seat":2,"move":"build red Troyes","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 10, 1768007112.0, CAST('{"event":"moved","seat":2,"move":"build red Reims","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 11, 1768007112.5, CAST('{"event":"moved","seat":2,"move":"build red Reims SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 12, 1768007113.0, CAST('{"event":"moved","seat":2,"move":"build red Lille SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('UWxm3_BuH1yh', 13, 1768007113.5, CAST('{"event":"moved","seat":2,"move":"build red Reims NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 1, 1767229492.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"4510d0f3239910de8de1b581b5512d83f65d6cb5fcf2a19ac46dce0b012de93a","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 2, 1767229492.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 3, 1767229493.0, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 4, 1767229493.5, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 5, 1767229493.5, CAST('{"event":"started","dealt":["black","black","blue","brown","brown","red","yellow","red","yellow","black","blue","brown","yellow","blue","yellow","blue","purple","blue","purple","yellow","brown","brown","red","blue","red","yellow","brown","blue","red","yellow","black","purple","blue","brown","yellow","red","seat 3"]}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 6, 1767229494.0, CAST('{"event":"moved","seat":2,"move":"trade red for 1 purple","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 7, 1767229494.5, CAST('{"event":"moved","seat":0,"move":"trade brown for 2 blue","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 8, 1767229495.75, CAST('{"event":"moved","seat":1,"move":"trade blue for 2 brown","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('X-4Q_vzxofOg', 9, 1767229496.25, CAST('{"event":"moved","seat":2,"move":"trade brown for 2 purple","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 1, 1769735229.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"14e36e49956d9386e079d6ce165707ecc3716f5524be9de91aae4cf78639614b","places":[{"kind":"link"},{"kind":"open"},{"kind":"open"}],"commitment":"6775e0df02a899398ffedb1b766821167ad6de33f747cd65ae6a72b142482d51","host":"RcgKMv6-OMg2","watch":"link","rules":"0.1.0","scheme":2,"study":{"table":"8yA0OeF2FQgc","at":20,"seat":0,"state":{"phase":"turn","seat":2,"building":null,"trades_in_a_row":0,"ended_by":null,"depots":{"purple":20,"brown":27,"black":27,"yellow":25,"blue":22,"red":15},"map":{"purple":["Reims NE","Gare du Nord","Reims","Reims E","Metz","Reims SE"],"brown":["Gare de l''Est"],"black":["Gare Montparnasse"],"yellow":["Gare Saint-Lazare"],"blue":["Gare de Lyon","Troyes","Le Mans E","Orléans","Tours E","Bourges SW"],"red":["Rennes NE","Caen E","Rennes","Le Mans NE","Gare d''Austerlitz","Rennes SW","Rennes SE","Angers","Le Mans","Nantes","Nantes SE"]},"players":[{"portfolio":{"purple":1,"brown":3,"black":1,"yellow":2,"blue":1,"red":2},"taken":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"given":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"owed":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0}},{"portfolio":{"purple":2,"brown":0,"black":1,"yellow":3,"blue":0,"red":4},"taken":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"given":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"owed":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0}},{"portfolio":{"purple":3,"brown":1,"black":2,"yellow":1,"blue":3,"red":0},"taken":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"given":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0},"owed":{"purple":0,"brown":0,"black":0,"yellow":0,"blue":0,"red":0}}]}}}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 2, 1769735229.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 3, 1769735229.25, CAST('{"event":"botseated","seat":1,"bot":"random","name":"Gustave"}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 4, 1769735229.25, CAST('{"event":"botseated","seat":2,"bot":"random","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 5, 1769735229.25, CAST('{"event":"started"}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 6, 1769735230.0, CAST('{"event":"moved","seat":1,"move":"trade yellow for 2 purple","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 7, 1769735230.5, CAST('{"event":"moved","seat":2,"move":"build purple Amiens","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 8, 1769735231.0, CAST('{"event":"moved","seat":2,"move":"build purple Calais","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 9, 1769735231.5, CAST('{"event":"moved","seat":2,"move":"build purple Amiens W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 10, 1769735232.0, CAST('{"event":"moved","seat":2,"move":"build purple Nancy","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('_vdaZQE7bsCu', 11, 1769735232.5, CAST('{"event":"moved","seat":2,"move":"build purple Mulhouse NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('alsMelATBuCq', 1, 1769735166.75, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"open"}],"commitment":"493ddb9a44c69d296d1dc7bc920fb7c847f092f58a4e3a1371b0e65fd41319f0","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"deal":{"id":"MKoa4YH9mwdW","number":2}}' AS BLOB));
INSERT INTO events VALUES ('alsMelATBuCq', 2, 1769735166.75, CAST('{"event":"botseated","seat":2,"bot":"random","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 1, 1769735232.75, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","host":"","rules":"0.1.0","imported":true,"scheme":2}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 2, 1769735232.75, CAST('{"event":"seated","seat":0,"person":"","name":"random 1"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 3, 1769735232.75, CAST('{"event":"seated","seat":1,"person":"","name":"greedy 2"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 4, 1769735232.75, CAST('{"event":"seated","seat":2,"person":"","name":"random 3"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 5, 1769735232.75, CAST('{"event":"seated","seat":3,"person":"","name":"greedy 4"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 6, 1769735232.75, CAST('{"event":"stirred","seat":1,"text":"Élan vital"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 7, 1769735232.75, CAST('{"event":"stirred","seat":3,"text":"7 × 7"}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 8, 1769735232.75, CAST('{"event":"started","dealt":["purple","brown","black","blue","purple","brown","black","black","yellow","yellow","blue","red","yellow","black","blue","red","brown","brown","yellow","red","yellow","brown","red","black","black","purple","red","red","purple","black","brown","purple","blue","black","purple","brown","red","yellow","seat 4"]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 9, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Orléans","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 10, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Troyes","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 11, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Bourges","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 12, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Bourges SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 13, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Limoges NE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 14, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Le Mans NE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 15, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Le Mans E","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 16, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Caen SE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 17, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Le Mans","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 18, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Tours","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 19, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade black for 2 purple","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 20, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Reims","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 21, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Reims E","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 22, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Nancy W","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 23, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Metz","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 24, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Nancy","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 25, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade brown for 2 purple","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 26, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade purple for 1 black","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 27, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade yellow for 2 purple","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 28, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade black for 2 red","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 29, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade black for 2 purple","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 30, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Le Mans E","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 31, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Limoges","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 32, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Limoges SE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 33, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Limoges W","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 34, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Bordeaux NE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 35, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade yellow for 2 purple","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 36, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade brown for 2 purple","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 37, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade black for 2 purple","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 38, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 1 red","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 39, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade yellow for 2 purple","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 40, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade yellow for 1 blue","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 41, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade red for 2 blue","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 42, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Bordeaux E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 43, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade purple for 2 blue","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 44, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build blue Reims NE","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 45, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"done","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 46, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade red for 2 blue","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 47, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade red for 1 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 48, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade red for 2 blue","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 49, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build purple Rodez","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 50, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade purple for 2 blue","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 51, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 2 blue","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 52, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade red for 2 blue","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 53, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade red for 1 blue","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 54, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade blue for 2 red","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 55, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 1 blue","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 56, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Amiens","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 57, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Lille","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 58, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Calais","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 59, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Strasbourg W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 60, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Strasbourg","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 61, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade red for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 62, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade red for 1 blue","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 63, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade black for 1 purple","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 64, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build yellow Amiens W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 65, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 66, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Poitiers","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 67, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Tours E","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 68, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Poitiers E","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 69, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Limoges NW","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 70, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Rennes E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 71, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Rennes","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 72, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Caen","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 73, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Angers","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 74, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Le Havre","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 75, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Saint-Malo","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 76, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade blue for 1 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 77, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade purple for 1 blue","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 78, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build yellow Rouen","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 79, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build yellow Caen E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 80, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade purple for 1 red","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 81, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade purple for 1 black","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 82, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build purple Bordeaux","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 83, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build purple Toulouse NE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 84, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build purple Toulouse","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 85, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade red for 2 brown","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 86, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Cherbourg","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 87, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Rennes SE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 88, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Nantes","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 89, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Rennes W","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 90, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build red Lorient","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 91, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Rennes NE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 92, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Caen E","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 93, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Limoges NE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 94, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Poitiers W","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 95, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build red Limoges W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 96, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade blue for 1 red","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 97, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Bourges SW","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 98, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build red Bordeaux E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 99, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build brown Le Mans NE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 100, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 101, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade black for 2 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 102, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Amiens W","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 103, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade red for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 104, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade blue for 1 red","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 105, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade purple for 2 black","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 106, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade blue for 1 purple","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 107, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade blue for 2 black","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 108, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build blue Strasbourg SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 109, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 110, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade blue for 2 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 111, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Mulhouse","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 112, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Mulhouse W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 113, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 114, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade yellow for 1 brown","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 115, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build brown Caen SE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 116, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 117, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 1 blue","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 118, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Rennes E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 119, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Rennes SE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 120, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 121, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade brown for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 122, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build brown Rennes NE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 123, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 124, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 2 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 125, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Rennes SW","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 126, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 127, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade brown for 2 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 128, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Reims SE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 129, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Nancy W","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 130, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Reims E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 131, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 132, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 2 black","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 133, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Reims NE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 134, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 135, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade yellow for 2 brown","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 136, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Lille SE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 137, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 138, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 1 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 139, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Nantes E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 140, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Tours W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 141, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 142, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build brown Rennes W","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 143, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"done","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 144, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build brown Poitiers W","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 145, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 146, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 2 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 147, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown La Rochelle E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 148, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Nantes SE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 149, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 150, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade yellow for 2 brown","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 151, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build brown Bordeaux NE","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 152, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 153, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade black for 1 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 154, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Limoges NW","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 155, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Poitiers E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 156, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build brown Tours E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 157, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 158, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade purple for 1 brown","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 159, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade blue for 1 purple","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 160, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 2 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 161, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Besançon","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 162, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade purple for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 163, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Nancy SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 164, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Mulhouse NW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 165, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 166, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build brown La Rochelle","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 167, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build brown Brest E","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 168, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build brown Brest","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 169, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Troyes E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 170, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Mulhouse W","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 171, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 172, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade black for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 173, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build purple Bourges SE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 174, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade blue for 2 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 175, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build blue Dijon","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 176, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade yellow for 2 black","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 177, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Besançon NW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 178, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Besançon E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 179, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Strasbourg W","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 180, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 181, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade brown for 1 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 182, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Troyes SE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 183, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Besançon SE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 184, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Orléans E","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 185, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 186, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade black for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 187, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Bourges E","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 188, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"done","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 189, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 2 black","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 190, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"build black Bourges SE","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 191, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 192, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade brown for 1 black","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 193, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Besançon SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 194, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Dijon SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 195, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Clermont-Ferrand NW","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 196, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade yellow for 1 brown","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 197, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade purple for 1 brown","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 198, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"trade black for 1 yellow","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 199, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"build black Clermont-Ferrand NE","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 200, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"trade blue for 2 yellow","then":1,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 201, 1769735232.75, CAST('{"event":"moved","seat":1,"move":"trade brown for 1 blue","then":2,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 202, 1769735232.75, CAST('{"event":"moved","seat":2,"move":"build purple Dijon SW","then":3,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 203, 1769735232.75, CAST('{"event":"moved","seat":3,"move":"trade purple for 1 brown","then":0,"points":[null,null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('brought-OBi-rEfF0t41', 204, 1769735232.75, CAST('{"event":"moved","seat":0,"move":"build purple Limoges SW","points":[-43,205,29,187]}' AS BLOB));
INSERT INTO events VALUES ('fPhlpSzX2__V', 1, 1768007162.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"open"},{"kind":"open"}],"commitment":"5c7e4404000bc215eee13abf7883e2835b637088ba7fec07ee38f35178890c23","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('fPhlpSzX2__V', 2, 1768007162.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('fPhlpSzX2__V', 3, 1769735163.0, CAST('{"event":"aborted","waited":14}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 1, 1769735241.5, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"5263a97443703239d4f799b661e024f9bda9e13ea92b7ef34d1ac6798c80586b","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 2, 1769735241.5, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 3, 1769735242.25, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 4, 1769735242.75, CAST('{"event":"seated","seat":2,"person":"YSY3jG4Q5BTL","name":"Cleo"}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 5, 1769735242.75, CAST('{"event":"started","dealt":["purple","red","red","black","purple","black","red","yellow","blue","purple","black","blue","brown","red","blue","purple","red","yellow","brown","red","blue","yellow","yellow","purple","black","black","black","yellow","red","yellow","purple","yellow","brown","black","red","blue","seat 1"]}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 6, 1769735243.25, CAST('{"event":"moved","seat":0,"move":"trade purple for 1 red","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 7, 1769735243.75, CAST('{"event":"moved","seat":1,"move":"trade black for 1 brown","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('opVDbX8y1OqG', 8, 1769735244.25, CAST('{"event":"moved","seat":2,"move":"trade black for 2 purple","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('pS7wfK1O0fA6', 1, 1767225865.0, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"open"},{"kind":"open"},{"kind":"link"}],"commitment":"7487bffd29e935bc2f238c4a855f058477efe8ef49f6d08a9f7077b729da2883","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 1, 1767225860.0, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"c63de650fe7146bc1b1c652b20d25ee87a1b2d5cb899e3a152f0698b7ffa1cda","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 2, 1767225860.0, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada on the go"}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 3, 1767225860.0, CAST('{"event":"seated","seat":2,"person":"RcgKMv6-OMg2/3","name":"Emil"}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 4, 1767225860.75, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 5, 1767225860.75, CAST('{"event":"started","dealt":["brown","purple","black","blue","brown","brown","black","black","red","black","red","brown","blue","red","blue","red","black","purple","red","yellow","yellow","black","yellow","red","blue","blue","brown","blue","yellow","red","yellow","brown","purple","blue","black","red","seat 1"]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 6, 1767225861.25, CAST('{"event":"moved","seat":0,"move":"trade black for 1 yellow","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 7, 1767225861.75, CAST('{"event":"moved","seat":1,"move":"trade blue for 1 black","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 8, 1767225862.25, CAST('{"event":"moved","seat":2,"move":"build black Caen E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 9, 1767225862.75, CAST('{"event":"moved","seat":2,"move":"build black Le Havre","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 10, 1767225863.25, CAST('{"event":"moved","seat":2,"move":"build black Le Mans NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 11, 1767225863.75, CAST('{"event":"moved","seat":2,"move":"build black Caen","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 12, 1767225864.25, CAST('{"event":"moved","seat":2,"move":"build black Rouen","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('p_-xrmq0HYbj', 13, 1767225864.75, CAST('{"event":"moved","seat":0,"move":"trade blue for 1 brown","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 1, 1769735167.25, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"open"}],"commitment":"493ddb9a44c69d296d1dc7bc920fb7c847f092f58a4e3a1371b0e65fd41319f0","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"deal":{"id":"MKoa4YH9mwdW","number":1}}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 2, 1769735167.25, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 3, 1769735167.25, CAST('{"event":"botseated","seat":2,"bot":"random","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 4, 1769735168.0, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 5, 1769735168.0, CAST('{"event":"started","dealt":["black","red","yellow","brown","yellow","brown","purple","brown","yellow","yellow","red","blue","black","blue","purple","black","red","purple","yellow","yellow","black","yellow","yellow","purple","purple","black","purple","purple","red","red","purple","yellow","blue","black","brown","red","seat 1"]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 6, 1769735168.5, CAST('{"event":"moved","seat":0,"move":"build yellow Reims SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 7, 1769735169.0, CAST('{"event":"moved","seat":0,"move":"build yellow Reims","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 8, 1769735169.5, CAST('{"event":"moved","seat":0,"move":"build yellow Lille SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 9, 1769735170.0, CAST('{"event":"moved","seat":0,"move":"build yellow Lille","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 10, 1769735170.5, CAST('{"event":"moved","seat":0,"move":"build yellow Reims NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 11, 1769735171.0, CAST('{"event":"moved","seat":1,"move":"build brown Le Mans NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 12, 1769735171.5, CAST('{"event":"moved","seat":1,"move":"build brown Rouen","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 13, 1769735172.0, CAST('{"event":"moved","seat":1,"move":"build brown Amiens W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 14, 1769735172.5, CAST('{"event":"moved","seat":1,"move":"build brown Amiens","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 15, 1769735173.0, CAST('{"event":"moved","seat":1,"move":"build brown Caen E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 16, 1769735173.5, CAST('{"event":"moved","seat":2,"move":"build red Amiens W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 17, 1769735174.0, CAST('{"event":"moved","seat":2,"move":"build red Calais","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 18, 1769735174.5, CAST('{"event":"moved","seat":0,"move":"build yellow Reims E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 19, 1769735175.0, CAST('{"event":"moved","seat":0,"move":"build yellow Metz","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 20, 1769735175.5, CAST('{"event":"moved","seat":0,"move":"build yellow Troyes","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 21, 1769735176.0, CAST('{"event":"moved","seat":0,"move":"build yellow Nancy W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 22, 1769735176.5, CAST('{"event":"moved","seat":0,"move":"build yellow Troyes E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 23, 1769735177.0, CAST('{"event":"moved","seat":1,"move":"build brown Caen SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 24, 1769735177.5, CAST('{"event":"moved","seat":1,"move":"build brown Le Havre","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 25, 1769735178.0, CAST('{"event":"moved","seat":1,"move":"build brown Le Mans E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 26, 1769735178.5, CAST('{"event":"moved","seat":1,"move":"build brown Tours E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 27, 1769735179.0, CAST('{"event":"moved","seat":1,"move":"build brown Angers","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 28, 1769735179.5, CAST('{"event":"moved","seat":2,"move":"build brown Tours W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 29, 1769735180.0, CAST('{"event":"moved","seat":2,"move":"build brown Caen","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 30, 1769735180.5, CAST('{"event":"moved","seat":2,"move":"build brown Orléans","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 31, 1769735181.0, CAST('{"event":"moved","seat":2,"move":"build brown Rennes NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 32, 1769735181.5, CAST('{"event":"moved","seat":2,"move":"build brown Saint-Malo","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 33, 1769735182.0, CAST('{"event":"moved","seat":0,"move":"build brown Cherbourg","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 34, 1769735182.5, CAST('{"event":"moved","seat":0,"move":"build brown Orléans E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 35, 1769735183.0, CAST('{"event":"moved","seat":0,"move":"build brown Poitiers W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 36, 1769735183.5, CAST('{"event":"moved","seat":0,"move":"build brown Bourges E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 37, 1769735184.0, CAST('{"event":"moved","seat":0,"move":"build brown Poitiers E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 38, 1769735184.5, CAST('{"event":"moved","seat":1,"move":"build brown Poitiers","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 39, 1769735185.0, CAST('{"event":"moved","seat":1,"move":"build brown Le Mans","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 40, 1769735185.5, CAST('{"event":"moved","seat":1,"move":"build brown Limoges NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 41, 1769735186.0, CAST('{"event":"moved","seat":1,"move":"build brown Bourges SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 42, 1769735186.5, CAST('{"event":"moved","seat":1,"move":"build brown La Rochelle E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 43, 1769735187.0, CAST('{"event":"moved","seat":2,"move":"build brown Dijon SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 44, 1769735187.5, CAST('{"event":"moved","seat":2,"move":"build brown Dijon","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 45, 1769735188.0, CAST('{"event":"moved","seat":2,"move":"build brown Besançon SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 46, 1769735188.5, CAST('{"event":"moved","seat":0,"move":"build yellow Besançon NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 47, 1769735189.0, CAST('{"event":"moved","seat":0,"move":"build yellow Nancy SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 48, 1769735189.5, CAST('{"event":"moved","seat":0,"move":"build yellow Mulhouse W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 49, 1769735190.0, CAST('{"event":"moved","seat":0,"move":"build yellow Besançon","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 50, 1769735190.5, CAST('{"event":"moved","seat":0,"move":"build yellow Besançon SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 51, 1769735191.0, CAST('{"event":"moved","seat":1,"move":"build yellow Lyon NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 52, 1769735191.5, CAST('{"event":"moved","seat":1,"move":"build yellow Nancy","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 53, 1769735192.0, CAST('{"event":"moved","seat":1,"move":"build yellow Strasbourg W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 54, 1769735192.5, CAST('{"event":"moved","seat":1,"move":"build yellow Lyon NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 55, 1769735193.0, CAST('{"event":"moved","seat":1,"move":"build yellow Besançon E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 56, 1769735193.5, CAST('{"event":"moved","seat":2,"move":"build yellow Strasbourg","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 57, 1769735194.0, CAST('{"event":"moved","seat":2,"move":"build yellow Lyon","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 58, 1769735194.5, CAST('{"event":"moved","seat":2,"move":"build yellow Troyes SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 59, 1769735195.0, CAST('{"event":"moved","seat":0,"move":"build black Le Mans NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 60, 1769735195.5, CAST('{"event":"moved","seat":0,"move":"build black Le Mans E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 61, 1769735196.0, CAST('{"event":"moved","seat":0,"move":"build black Caen E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 62, 1769735196.5, CAST('{"event":"moved","seat":0,"move":"build black Tours","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 63, 1769735197.0, CAST('{"event":"moved","seat":0,"move":"build black Tours W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 64, 1769735197.5, CAST('{"event":"moved","seat":1,"move":"build black Poitiers E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 65, 1769735198.0, CAST('{"event":"moved","seat":1,"move":"build black Limoges NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 66, 1769735198.5, CAST('{"event":"moved","seat":1,"move":"build black Nantes E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 67, 1769735199.0, CAST('{"event":"moved","seat":1,"move":"build black Poitiers W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 68, 1769735199.5, CAST('{"event":"moved","seat":1,"move":"build black Limoges","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 69, 1769735200.0, CAST('{"event":"moved","seat":2,"move":"build black Nantes SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 70, 1769735200.5, CAST('{"event":"moved","seat":2,"move":"build black Caen SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 71, 1769735201.0, CAST('{"event":"moved","seat":2,"move":"build black Limoges NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 72, 1769735201.5, CAST('{"event":"moved","seat":2,"move":"build black Bourges SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 73, 1769735202.0, CAST('{"event":"moved","seat":2,"move":"build black Rennes SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 74, 1769735202.5, CAST('{"event":"moved","seat":0,"move":"build black Limoges SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 75, 1769735203.0, CAST('{"event":"moved","seat":0,"move":"build black Nantes","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 76, 1769735203.5, CAST('{"event":"moved","seat":0,"move":"build black Clermont-Ferrand NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 77, 1769735204.0, CAST('{"event":"moved","seat":0,"move":"build black Clermont-Ferrand NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 78, 1769735204.5, CAST('{"event":"moved","seat":0,"move":"build black Limoges SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 79, 1769735205.0, CAST('{"event":"moved","seat":1,"move":"build black Dijon SW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 80, 1769735205.5, CAST('{"event":"moved","seat":1,"move":"build black Rodez W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 81, 1769735206.0, CAST('{"event":"moved","seat":1,"move":"build black Lyon NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 82, 1769735206.5, CAST('{"event":"moved","seat":1,"move":"build black La Rochelle","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 83, 1769735207.0, CAST('{"event":"moved","seat":1,"move":"build black Bordeaux E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 84, 1769735207.5, CAST('{"event":"moved","seat":2,"move":"build black Bourges SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 85, 1769735208.0, CAST('{"event":"moved","seat":0,"move":"build purple Lille SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 86, 1769735208.5, CAST('{"event":"moved","seat":0,"move":"build purple Reims NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 87, 1769735209.0, CAST('{"event":"moved","seat":0,"move":"build purple Reims E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 88, 1769735209.5, CAST('{"event":"moved","seat":0,"move":"build purple Nancy W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 89, 1769735210.0, CAST('{"event":"moved","seat":0,"move":"build purple Reims SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 90, 1769735210.5, CAST('{"event":"moved","seat":1,"move":"build blue Orléans E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 91, 1769735211.0, CAST('{"event":"moved","seat":1,"move":"build blue Troyes SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 92, 1769735211.5, CAST('{"event":"moved","seat":1,"move":"build blue Troyes E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 93, 1769735212.0, CAST('{"event":"moved","seat":1,"move":"build blue Bourges","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 94, 1769735212.5, CAST('{"event":"moved","seat":1,"move":"build blue Tours E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 95, 1769735213.0, CAST('{"event":"moved","seat":2,"move":"build blue Bourges SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 96, 1769735213.5, CAST('{"event":"moved","seat":2,"move":"build blue Bourges E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 97, 1769735214.0, CAST('{"event":"moved","seat":2,"move":"build blue Limoges NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 98, 1769735214.5, CAST('{"event":"moved","seat":2,"move":"build blue Clermont-Ferrand NW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 99, 1769735215.0, CAST('{"event":"moved","seat":2,"move":"build blue Clermont-Ferrand NE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 100, 1769735215.5, CAST('{"event":"moved","seat":0,"move":"build purple Nancy SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 101, 1769735216.0, CAST('{"event":"moved","seat":0,"move":"build purple Mulhouse NW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 102, 1769735216.5, CAST('{"event":"moved","seat":0,"move":"build purple Strasbourg W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 103, 1769735217.0, CAST('{"event":"moved","seat":0,"move":"build purple Mulhouse W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 104, 1769735217.5, CAST('{"event":"moved","seat":0,"move":"build purple Besançon NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 105, 1769735218.0, CAST('{"event":"moved","seat":1,"move":"build purple Besançon E","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 106, 1769735218.5, CAST('{"event":"moved","seat":1,"move":"build purple Besançon SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 107, 1769735219.0, CAST('{"event":"moved","seat":1,"move":"build purple Mulhouse","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 108, 1769735219.5, CAST('{"event":"moved","seat":1,"move":"build purple Strasbourg SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 109, 1769735220.0, CAST('{"event":"moved","seat":2,"move":"build blue Clermont-Ferrand","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 110, 1769735220.5, CAST('{"event":"moved","seat":2,"move":"build blue Saint-Étienne","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 111, 1769735221.0, CAST('{"event":"moved","seat":2,"move":"build blue Clermont-Ferrand SE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 112, 1769735221.5, CAST('{"event":"moved","seat":2,"move":"build blue Lyon SW","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 113, 1769735222.0, CAST('{"event":"moved","seat":2,"move":"build blue Grenoble","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 114, 1769735222.5, CAST('{"event":"moved","seat":0,"move":"build blue Limoges E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 115, 1769735223.0, CAST('{"event":"moved","seat":0,"move":"build blue Rodez E","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 116, 1769735223.5, CAST('{"event":"moved","seat":0,"move":"build blue Clermont-Ferrand SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 117, 1769735224.0, CAST('{"event":"moved","seat":0,"move":"build blue Grenoble SW","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 118, 1769735224.5, CAST('{"event":"moved","seat":0,"move":"build blue Nîmes NW","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 119, 1769735225.0, CAST('{"event":"moved","seat":1,"move":"build blue Marseille NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 120, 1769735225.5, CAST('{"event":"moved","seat":1,"move":"build blue Nice W","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 121, 1769735226.0, CAST('{"event":"moved","seat":1,"move":"build blue Limoges SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 122, 1769735226.5, CAST('{"event":"moved","seat":1,"move":"build blue Toulon","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 123, 1769735227.0, CAST('{"event":"moved","seat":1,"move":"build blue Rodez W","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 124, 1769735227.5, CAST('{"event":"moved","seat":2,"move":"build blue Toulouse NE","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 125, 1769735228.0, CAST('{"event":"moved","seat":2,"move":"build blue Rodez","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 126, 1769735228.5, CAST('{"event":"moved","seat":2,"move":"build blue Toulouse E","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('s4Y-i2jDCkN7', 127, 1769735229.0, CAST('{"event":"moved","seat":2,"move":"build blue Marseille","points":[98,76,50]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 1, 1767229484.75, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"open"}],"commitment":"0ed304bc7f47332a06493e6e1716bdc8f3366690f17a67f6a12a1f131f585cba","host":"RcgKMv6-OMg2","rules":"0.1.0","scheme":2,"charter":{"hints":"all"}}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 2, 1767229484.75, CAST('{"event":"seated","seat":0,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 3, 1767229484.75, CAST('{"event":"botseated","seat":2,"bot":"greedy","name":"Hertha"}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 4, 1767229485.5, CAST('{"event":"seated","seat":1,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 5, 1767229485.5, CAST('{"event":"started","dealt":["red","yellow","yellow","blue","yellow","black","brown","blue","red","blue","brown","purple","purple","brown","red","yellow","red","yellow","red","purple","red","black","red","black","black","purple","yellow","blue","yellow","blue","black","blue","yellow","brown","red","purple","seat 2"]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 6, 1767229486.0, CAST('{"event":"moved","seat":1,"move":"build black Lille SE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 7, 1767229486.5, CAST('{"event":"moved","seat":1,"move":"build black Reims NE","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 8, 1767229487.0, CAST('{"event":"moved","seat":1,"move":"done","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 9, 1767229487.5, CAST('{"event":"botfailed","seat":2,"bot":"greedy","what":"it took too long","attempt":1}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 10, 1767229488.0, CAST('{"event":"moved","seat":2,"move":"trade blue for 1 purple","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 11, 1767229488.5, CAST('{"event":"hinttaken","seat":0}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 12, 1767229489.0, CAST('{"event":"moved","seat":0,"move":"build purple Amiens","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 13, 1767229489.5, CAST('{"event":"moved","seat":0,"move":"build purple Lille SE","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 14, 1767229490.0, CAST('{"event":"moved","seat":0,"move":"build purple Amiens W","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('uG0EPcT3Jbhw', 15, 1767229490.5, CAST('{"event":"moved","seat":0,"move":"done","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 1, 1769735233.0, CAST('{"event":"opened","game":"paris-connection","options":{"cut_off":"strict","stations":"closed","standstill":"ends","memory_aid":true},"components":"cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c","places":[{"kind":"link"},{"kind":"link"},{"kind":"link"}],"commitment":"de197ae5b2aa292afdf6cdc161be9a2f8605c38dd23712f22e77ffbcd32d3891","host":"M3z8Np5ibmZ5","rules":"0.1.0","scheme":2}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 2, 1769735233.0, CAST('{"event":"seated","seat":0,"person":"M3z8Np5ibmZ5","name":"\u001a1"}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 3, 1769735233.75, CAST('{"event":"stirred","seat":0,"text":"secret of Dora"}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 4, 1769735234.25, CAST('{"event":"seated","seat":1,"person":"RcgKMv6-OMg2","name":"Ada"}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 5, 1769735235.0, CAST('{"event":"seated","seat":2,"person":"fBpK4oTY-2rz","name":"Ben"}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 6, 1769735235.0, CAST('{"event":"started","dealt":["brown","purple","purple","brown","purple","blue","yellow","purple","yellow","yellow","purple","purple","yellow","brown","red","blue","purple","purple","black","yellow","red","blue","purple","yellow","blue","yellow","black","black","purple","red","purple","blue","yellow","red","black","brown","seat 2"]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 7, 1769735235.5, CAST('{"event":"moved","seat":1,"move":"trade red for 1 brown","then":2,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 8, 1769735236.0, CAST('{"event":"moved","seat":2,"move":"trade red for 2 yellow","then":0,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 9, 1769735236.5, CAST('{"event":"moved","seat":0,"move":"trade purple for 2 blue","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 10, 1769735237.0, CAST('{"event":"moved","seat":1,"move":"build purple Reims","then":1,"points":[null,null,null]}' AS BLOB));
INSERT INTO events VALUES ('vKcZwJ6NyNwF', 11, 1769735245.25, CAST('{"event":"left","seat":0}' AS BLOB));
INSERT INTO mutes VALUES ('uG0EPcT3Jbhw', 'RcgKMv6-OMg2', 'fBpK4oTY-2rz');
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-push', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-discord', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-discord-native', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-ntfy', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-ntfy-plain', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-slack', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-slack-native', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-telegram', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-matrix', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-mattermost', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-gotify', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-pushover', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-zulip', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-signal', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('B6er7VCxPjyE', 0, 1, 'way-webhook', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-push', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-discord', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-discord-native', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-ntfy', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-ntfy-plain', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-slack', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-slack-native', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-telegram', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-matrix', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-mattermost', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-gotify', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-pushover', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-zulip', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-signal', 4102444800.0, 0, NULL);
INSERT INTO outbox VALUES ('opVDbX8y1OqG', 8, 0, 'way-webhook', 4102444800.0, 0, NULL);
INSERT INTO passkeys VALUES ('ehjhISY2s0Gj', 'RcgKMv6-OMg2', 'My telephone', X'7798dd8d4eb5b091d93386faf60a3a58', X'a50102032620012158200e7275bbb8f81529991934f5098d847ae06eb1db11836a245cf2710673baf685225820f6e66ca1ddc27fb13639a96a63187280b77036d92a738dd736bf247a634af542', 0, 1769735244.5, NULL);
INSERT INTO people VALUES ('RcgKMv6-OMg2', 'Ada', 'en', CAST('{"theme":"light","confirm":true,"pace":"normal","sound":true,"notify":false,"telling":{"zone":"Europe/Amsterdam","quiet_from":1320,"quiet_to":420,"away":15,"pause":60},"sounds":false,"ratings":true}' AS BLOB), 1767225601.0);
INSERT INTO people VALUES ('fBpK4oTY-2rz', 'Ben', 'de', CAST('{"theme":"","confirm":true,"pace":"normal","sound":false,"notify":false,"telling":{"zone":"UTC","quiet_from":0,"quiet_to":0,"away":5,"pause":0},"sounds":false,"ratings":true}' AS BLOB), 1767225601.25);
INSERT INTO people VALUES ('YSY3jG4Q5BTL', 'Cleo', 'fr', CAST('{"theme":"","confirm":true,"pace":"normal","sound":false,"notify":false,"telling":{"zone":"UTC","quiet_from":0,"quiet_to":0,"away":5,"pause":0},"sounds":false,"ratings":true}' AS BLOB), 1767225601.5);
INSERT INTO plans VALUES ('uG0EPcT3Jbhw', 'RcgKMv6-OMg2', 1, 1767229491.0, CAST('{"seat":0,"at":8,"moves":["trade brown for 1 purple"],"brings":[[[-1,1],[0,1],[1,-1]]],"condition":{"seat":1,"words":"build"},"always":true}' AS BLOB), NULL);
INSERT INTO plans VALUES ('uG0EPcT3Jbhw', 'RcgKMv6-OMg2', 2, 1767229491.75, CAST('{"seat":0,"at":8,"moves":["trade brown for 1 purple"],"brings":[[[-1,1],[0,1],[1,-1]]],"condition":null,"always":false}' AS BLOB), NULL);
INSERT INTO plans VALUES ('X-4Q_vzxofOg', 'RcgKMv6-OMg2', 1, 1767229495.0, CAST('{"seat":0,"at":2,"moves":["trade brown for 1 purple"],"brings":[[[0,1],[1,-1]]],"condition":{"seat":1,"words":"build"},"always":false}' AS BLOB), CAST('{"type":"Message","text":"None of your plans was played: no condition holds."}' AS BLOB));
INSERT INTO reactions VALUES ('uG0EPcT3Jbhw', 2, 'RcgKMv6-OMg2', 'like');
INSERT INTO recovery_codes VALUES ('4HZCS', 'RcgKMv6-OMg2', X'abc03eefd78bc598a23ee32aa797eec3d2fdc230ce2557243eafee34368cec88', 1769735244.75);
INSERT INTO results VALUES ('s4Y-i2jDCkN7', 'paris-connection', 3, CAST('{"game":"paris-connection","at":1769735229.0,"players":[{"kind":"person","name":"Ada","points":98,"place":1,"person":"RcgKMv6-OMg2","sources":[[0,2],[1,33],[2,6],[3,56],[5,1]]},{"kind":"person","name":"Ben","points":76,"place":2,"person":"fBpK4oTY-2rz","sources":[[0,4],[2,12],[3,28],[4,30],[5,2]]},{"kind":"bot","name":"Hertha","points":50,"place":3,"bot":"random","sources":[[0,8],[2,12],[3,28],[5,2]]}],"rated":true}' AS BLOB));
INSERT INTO results VALUES ('6Lc-Oj3QhyYx', 'legendary-inventors', 2, CAST('{"game":"legendary-inventors","at":1767225731.25,"players":[{"kind":"person","name":"Ada","points":9,"place":1,"person":"RcgKMv6-OMg2","sources":[[0,9]]},{"kind":"person","name":"Ben","points":6,"place":2,"person":"fBpK4oTY-2rz","sources":[[0,6]]}],"rated":true}' AS BLOB));
INSERT INTO results VALUES ('8yA0OeF2FQgc', 'paris-connection', 3, CAST('{"game":"paris-connection","at":1767225662.75,"players":[{"kind":"person","name":"Ada on the go","points":93,"place":1,"person":"RcgKMv6-OMg2","sources":[[0,11],[1,42],[2,4],[3,2],[4,8],[5,26]]},{"kind":"person","name":"Ben","points":86,"place":2,"person":"fBpK4oTY-2rz","sources":[[0,22],[2,8],[3,1],[4,16],[5,39]]},{"kind":"bot","name":"Hertha","points":75,"place":3,"bot":"greedy","sources":[[0,33],[1,14],[2,4],[3,3],[4,8],[5,13]]}],"rated":false}' AS BLOB));
INSERT INTO results VALUES ('3YVpTHvYEVK9', 'era-of-inventions', 3, CAST('{"game":"era-of-inventions","at":1767225859.75,"players":[{"kind":"person","name":"Ada on the go","points":11,"place":2,"person":"RcgKMv6-OMg2","sources":[[1,2],[4,3],[5,1],[6,5]]},{"kind":"person","name":"Emil","points":13,"place":1,"person":"RcgKMv6-OMg2/2","sources":[[0,1],[1,1],[4,2],[5,1],[7,3],[8,5]]},{"kind":"bot","name":"Hertha","points":7,"place":3,"bot":"random","sources":[[0,1],[1,1],[5,2],[7,3]]}],"rated":false}' AS BLOB));
INSERT INTO secrets VALUES ('8yA0OeF2FQgc', X'6e2b69cac9c8d7f7bcb791fc84d7f1fc74943a18ee71bb46fd9629c7aabf183c');
INSERT INTO secrets VALUES ('6Lc-Oj3QhyYx', X'004c6477a3e2598129b41dd5088c5b8256cb6fdd795de57f6e1dc7a200ea7a67');
INSERT INTO secrets VALUES ('3YVpTHvYEVK9', X'5b4ee4b003f4b70a9673599210bb66bae52faab48213d182cd2c1b3cbc4c959d');
INSERT INTO secrets VALUES ('p_-xrmq0HYbj', X'4914c7cd962f6e92441557292412c8c59c5ea5ba02ac40c959da85e3412f8a8d');
INSERT INTO secrets VALUES ('pS7wfK1O0fA6', X'dc764d0bc27def56d860789b44e721d33505d4b364bbdcd51a894ad9c4fc79af');
INSERT INTO secrets VALUES ('IjpyIFqgrTxA', X'cb58ce3b0490bab351496169a0c3bfdf3b8f5faf4cc5b80e12d1af291e7239b9');
INSERT INTO secrets VALUES ('T3D8Eao5tnnc', X'25e585b9fc3760e45143e828de89cd56f6a38fdfe0ff4d8fc1fa09bd21daaf38');
INSERT INTO secrets VALUES ('uG0EPcT3Jbhw', X'902a1b3c2fdfc04e8803717bc2c6c41072db7440d7f3b206f16b46fbf8558043');
INSERT INTO secrets VALUES ('X-4Q_vzxofOg', X'a05017052f69e1235ed48737dee7c2a74f2cf436153c20b3b36d1070830dfb57');
INSERT INTO secrets VALUES ('KW126tNKNoQ-', X'ab7427509768ecd34c18c99e28aac6acd9a5c4fa59c3e69f229cbd7932faeca1');
INSERT INTO secrets VALUES ('UWxm3_BuH1yh', X'7dacba5d8aa11024ed4b1e731c5a54686b5f528285e103b51ff9cd667728886c');
INSERT INTO secrets VALUES ('3wvXZ4-KEx3U', X'4d2ecf0fdcbc995c2e47c665b0af68e1d7071e6e3106e55c6a75b87981e03796');
INSERT INTO secrets VALUES ('fPhlpSzX2__V', X'76fc0e70a2ce9227bcc2ab6718661d0bf5d9da9e465adc426db8b7a767f4f71c');
INSERT INTO secrets VALUES ('B6er7VCxPjyE', X'f6f60f3002826e2ac78bec9e6a20ae34fb3920a81c64bb6f3b9c7cdeff3fc59b');
INSERT INTO secrets VALUES ('alsMelATBuCq', X'9bbe4ef61e0993b4f6c10a00dcd112383f474a804287620e316c02a1eafd4016');
INSERT INTO secrets VALUES ('s4Y-i2jDCkN7', X'9bbe4ef61e0993b4f6c10a00dcd112383f474a804287620e316c02a1eafd4016');
INSERT INTO secrets VALUES ('_vdaZQE7bsCu', X'e7069bb29363109cdb4d3f6f00bd81de31051bf1137df0bd2058920e5d5d188d');
INSERT INTO secrets VALUES ('brought-OBi-rEfF0t41', X'0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO secrets VALUES ('52MaBKffefeY', X'0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO secrets VALUES ('vKcZwJ6NyNwF', X'9a172adf6a2c19ea2859fb4dc6a9cc06f09f1923c404539e5c53a87cd3f9d2e0');
INSERT INTO secrets VALUES ('DnkE8hsm2PLH', X'ebee6141bb9a45e93f438b0de9bc211a79386dbc9d4448072c268e9b4282ca53');
INSERT INTO secrets VALUES ('opVDbX8y1OqG', X'1d6736288eec71910ccb2be13dcab1a0961a6918cf54a2ef28c865129cfbff72');
INSERT INTO sessions VALUES (X'cb67591eab8238c33a9044d56faca320cf28ea9d3eadf30f337b7121c09f7899', 'RcgKMv6-OMg2', 1767225601.0);
INSERT INTO sessions VALUES (X'3cb66c993a0232b1cc40cb279bcbca39002bf511d576a833073d4a74d692f3f4', 'fBpK4oTY-2rz', 1767225601.25);
INSERT INTO sessions VALUES (X'c9a0387e15f71eb51d7586b107f449b6d875e34d919b05cafed982af9114d3b4', 'YSY3jG4Q5BTL', 1767225601.5);
INSERT INTO sessions VALUES (X'4366d68ecbc85ef5dcb4bc182d750a08d2aff3354a27294060af08d51ff8150c', 'RcgKMv6-OMg2', 1767225601.75);
INSERT INTO sessions VALUES (X'b989efacfd2e81303770eef0d700443b3bcd6e299eb194b1cbd971eaef4feb60', 'RcgKMv6-OMg2', 1769735245.5);
INSERT INTO settings VALUES ('up', CAST('1767225600.25' AS BLOB));
INSERT INTO settings VALUES ('seen', CAST('{"":1767225600.75}' AS BLOB));
INSERT INTO settings VALUES ('push key', CAST('-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDBYFvm9mKlFXpyfF
1Zv8VzYuxlHF2mBo7KefSCKIVWyhRANCAARte2TaFXK4umO2K4suFJRnK8WqIdVB
0sqMMvjqzynNzA6D0RZMXTIy2p41XeHGFGpRNHyYa4eU6ssViAXJ/yHB
-----END PRIVATE KEY-----
' AS BLOB));
INSERT INTO settings VALUES ('link key', X'cc0b12a396a0e6aaccc687262fd17b9af2285299a82dfce97baf0194a3a6ceba');
INSERT INTO settings VALUES ('address key', X'ccc0bafb255e85bc0085d869888dfefcfce625b0924568dd798ecee11169d727');
INSERT INTO settings VALUES ('recovery key', X'142fb80bb324d819599c3cdb6f2c267bcea5b49569e4a39fadfe6c199c31d41a');
INSERT INTO sitters VALUES ('6Lc-Oj3QhyYx', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('6Lc-Oj3QhyYx', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('3YVpTHvYEVK9', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('3YVpTHvYEVK9', 1, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('p_-xrmq0HYbj', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('p_-xrmq0HYbj', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('p_-xrmq0HYbj', 2, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('8yA0OeF2FQgc', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('8yA0OeF2FQgc', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('IjpyIFqgrTxA', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('IjpyIFqgrTxA', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('T3D8Eao5tnnc', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('T3D8Eao5tnnc', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('uG0EPcT3Jbhw', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('uG0EPcT3Jbhw', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('X-4Q_vzxofOg', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('X-4Q_vzxofOg', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('X-4Q_vzxofOg', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('KW126tNKNoQ-', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('KW126tNKNoQ-', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('KW126tNKNoQ-', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('UWxm3_BuH1yh', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('UWxm3_BuH1yh', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('UWxm3_BuH1yh', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('3wvXZ4-KEx3U', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('3wvXZ4-KEx3U', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('3wvXZ4-KEx3U', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('fPhlpSzX2__V', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('B6er7VCxPjyE', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('B6er7VCxPjyE', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('B6er7VCxPjyE', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('s4Y-i2jDCkN7', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('s4Y-i2jDCkN7', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('_vdaZQE7bsCu', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('opVDbX8y1OqG', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('opVDbX8y1OqG', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('opVDbX8y1OqG', 2, 'YSY3jG4Q5BTL');
INSERT INTO sitters VALUES ('vKcZwJ6NyNwF', 0, 'M3z8Np5ibmZ5');
INSERT INTO sitters VALUES ('vKcZwJ6NyNwF', 1, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('vKcZwJ6NyNwF', 2, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('DnkE8hsm2PLH', 0, 'RcgKMv6-OMg2');
INSERT INTO sitters VALUES ('DnkE8hsm2PLH', 1, 'fBpK4oTY-2rz');
INSERT INTO sitters VALUES ('DnkE8hsm2PLH', 2, 'YSY3jG4Q5BTL');
INSERT INTO tables VALUES ('8yA0OeF2FQgc', 'paris-connection', 'RcgKMv6-OMg2', 1767225603.0, 1767225866.0, 125, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada on the go"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"bot","name":"Hertha"}],"to_decide":null,"winners":[0],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('6Lc-Oj3QhyYx', 'legendary-inventors', 'RcgKMv6-OMg2', 1767225663.0, 1767225731.25, 139, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"}],"to_decide":null,"winners":[0],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('3YVpTHvYEVK9', 'era-of-inventions', 'RcgKMv6-OMg2', 1767225731.5, 1767225859.75, 261, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada on the go"},{"kind":"person","person":"RcgKMv6-OMg2/2","name":"Emil"},{"kind":"bot","name":"Hertha"}],"to_decide":null,"winners":[1],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('p_-xrmq0HYbj', 'paris-connection', 'RcgKMv6-OMg2', 1767225860.0, 1767225864.75, 13, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada on the go"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"RcgKMv6-OMg2/3","name":"Emil"}],"to_decide":1,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('pS7wfK1O0fA6', 'paris-connection', 'RcgKMv6-OMg2', 1767225865.0, 1767225865.0, 1, 'open', CAST('{"status":"open","seats":[{"kind":"open"},{"kind":"open"},{"kind":"link"}],"to_decide":null,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('IjpyIFqgrTxA', 'paris-connection', 'fBpK4oTY-2rz', 1767225865.5, 1767225866.5, 4, 'open', CAST('{"status":"open","seats":[{"kind":"kept","person":"RcgKMv6-OMg2","name":"Ada on the go"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"bot","name":"Hertha"}],"to_decide":null,"winners":[],"host":"fBpK4oTY-2rz","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('T3D8Eao5tnnc', 'legendary-inventors', 'RcgKMv6-OMg2', 1767225866.75, 1767229484.5, 39, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"bot","name":"Hertha"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"link","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('uG0EPcT3Jbhw', 'paris-connection', 'RcgKMv6-OMg2', 1767229484.75, 1767229490.5, 15, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"bot","name":"Hertha"}],"to_decide":1,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('X-4Q_vzxofOg', 'paris-connection', 'RcgKMv6-OMg2', 1767229492.25, 1767229496.25, 9, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('KW126tNKNoQ-', 'paris-connection', 'RcgKMv6-OMg2', 1767229498.75, 1768007108.0, 21, 'aborted', CAST('{"status":"aborted","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":null,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('UWxm3_BuH1yh', 'paris-connection', 'RcgKMv6-OMg2', 1768007108.25, 1768007113.5, 13, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":1768008343.5,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, 1768008343.5, NULL);
INSERT INTO tables VALUES ('3wvXZ4-KEx3U', 'paris-connection', 'RcgKMv6-OMg2', 1768007113.75, 1768007162.0, 9, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":1768007193.0,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, 1768007193.0, NULL);
INSERT INTO tables VALUES ('fPhlpSzX2__V', 'paris-connection', 'RcgKMv6-OMg2', 1768007162.25, 1769735163.0, 3, 'aborted', CAST('{"status":"aborted","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"open"},{"kind":"open"}],"to_decide":null,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('B6er7VCxPjyE', 'paris-connection', 'RcgKMv6-OMg2', 1769735163.25, 1769735166.5, 11, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('alsMelATBuCq', 'paris-connection', 'RcgKMv6-OMg2', 1769735166.75, 1769735166.75, 2, 'open', CAST('{"status":"open","seats":[{"kind":"link"},{"kind":"link"},{"kind":"bot","name":"Hertha"}],"to_decide":null,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"MKoa4YH9mwdW","kept_back":true}' AS BLOB), NULL, NULL, 'MKoa4YH9mwdW');
INSERT INTO tables VALUES ('s4Y-i2jDCkN7', 'paris-connection', 'RcgKMv6-OMg2', 1769735167.25, 1769735229.0, 127, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"bot","name":"Hertha"}],"to_decide":null,"winners":[0],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"MKoa4YH9mwdW","kept_back":true}' AS BLOB), NULL, NULL, 'MKoa4YH9mwdW');
INSERT INTO tables VALUES ('_vdaZQE7bsCu', 'paris-connection', 'RcgKMv6-OMg2', 1769735229.25, 1769735232.5, 11, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"bot","name":"Gustave"},{"kind":"bot","name":"Hertha"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"link","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('brought-OBi-rEfF0t41', 'paris-connection', '', 1769735232.75, 1769735232.75, 204, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","name":"random 1"},{"kind":"person","name":"greedy 2"},{"kind":"person","name":"random 3"},{"kind":"person","name":"greedy 4"}],"to_decide":null,"winners":[1],"host":"","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('52MaBKffefeY', 'legendary-inventors', '', 1769735232.75, 1769735232.75, 152, 'finished', CAST('{"status":"finished","seats":[{"kind":"person","name":"greedy 1"},{"kind":"person","name":"greedy 2"},{"kind":"person","name":"greedy 3"},{"kind":"person","name":"greedy 4"}],"to_decide":null,"winners":[3],"host":"","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('vKcZwJ6NyNwF', 'paris-connection', 'RcgKMv6-OMg2', 1769735233.0, 1769735245.25, 11, 'running', CAST('{"status":"running","seats":[{"kind":"left","person":"M3z8Np5ibmZ5","name":"\u001a1"},{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"}],"to_decide":1,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('DnkE8hsm2PLH', 'paris-connection', 'RcgKMv6-OMg2', 1769735237.25, 1769735246.75, 11, 'frozen', CAST('{"status":"frozen","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":null,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO tables VALUES ('opVDbX8y1OqG', 'paris-connection', 'RcgKMv6-OMg2', 1769735241.5, 1769735244.25, 8, 'running', CAST('{"status":"running","seats":[{"kind":"person","person":"RcgKMv6-OMg2","name":"Ada"},{"kind":"person","person":"fBpK4oTY-2rz","name":"Ben"},{"kind":"person","person":"YSY3jG4Q5BTL","name":"Cleo"}],"to_decide":0,"winners":[],"host":"RcgKMv6-OMg2","watch":"open","due":null,"stood_in":false,"deal":"","kept_back":false}' AS BLOB), NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-mail', 'RcgKMv6-OMg2', 'mail', CAST('{"address":"ada@example.org"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-mail-new', 'RcgKMv6-OMg2', 'mail', CAST('{"address":"other@example.org"}' AS BLOB), 'new', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-push', 'RcgKMv6-OMg2', 'push', CAST('{"endpoint":"https://updates.push.services.mozilla.com/wpush/v2/gAAAAA","key":"BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM","secret":"tBHItJI5svbpez7KI4CCXg"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-discord', 'RcgKMv6-OMg2', 'service', CAST('{"address":"discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js","service":"Discord"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-discord-native', 'RcgKMv6-OMg2', 'service', CAST('{"address":"https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js","service":"Discord"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-ntfy', 'RcgKMv6-OMg2', 'service', CAST('{"address":"ntfys://ntfy.sh/spieltisch-ada","service":"ntfy"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-ntfy-plain', 'RcgKMv6-OMg2', 'service', CAST('{"address":"ntfy://192.0.2.7/spieltisch-ada","service":"ntfy"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-slack', 'RcgKMv6-OMg2', 'service', CAST('{"address":"slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#general","service":"Slack"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-slack-native', 'RcgKMv6-OMg2', 'service', CAST('{"address":"https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ","service":"Slack"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-telegram', 'RcgKMv6-OMg2', 'service', CAST('{"address":"tgram://123456789:AAFCcg43PqTLkfnDiVGEnf5Mza2c6UFi8d4/987654321","service":"Telegram"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-matrix', 'RcgKMv6-OMg2', 'service', CAST('{"address":"matrixs://ada:secret@matrix.example.org/#tables","service":"Matrix"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-mattermost', 'RcgKMv6-OMg2', 'service', CAST('{"address":"mmosts://chat.example.org/3ccdd113474722377935511fc85d3dd4","service":"Mattermost"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-gotify', 'RcgKMv6-OMg2', 'service', CAST('{"address":"gotifys://push.example.org/A1b2C3d4E5f6G7h","service":"Gotify"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-pushover', 'RcgKMv6-OMg2', 'service', CAST('{"address":"pover://ucw1ehjdywzsdmixk4p8n2tqv9r3gk@azGDORePK8gMaC0QOYAMyEEuzJnyUi","service":"Pushover"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-zulip', 'RcgKMv6-OMg2', 'service', CAST('{"address":"zulip://bot-name@apprise/a6t7kjFh5oNBe3jzhbkuhtxpPXhSBcvG/general","service":"Zulip"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-signal', 'RcgKMv6-OMg2', 'service', CAST('{"address":"signals://signal.example.org/+15551234567/+15557654321","service":"Signal"}' AS BLOB), 'on', 1769735241.0, NULL, NULL, NULL);
INSERT INTO ways VALUES ('way-webhook', 'RcgKMv6-OMg2', 'webhook', CAST('{"address":"https://hooks.example.org/spieltisch?key=1"}' AS BLOB), 'on', 1769735241.0, NULL, 1769735241.0, CAST('{"type":"Message","text":"The service did not take the message."}' AS BLOB));
INSERT INTO ways VALUES ('way-webhook-gone', 'RcgKMv6-OMg2', 'webhook', CAST('{"address":"http://192.0.2.9/hook"}' AS BLOB), 'gone', 1769735241.0, NULL, 1769735241.0, CAST('{"type":"Message","text":"The service did not take the message."}' AS BLOB));
INSERT INTO words VALUES ('uG0EPcT3Jbhw', 1, 'table', 'RcgKMv6-OMg2', 0, 'Ada', 1767229497.25, 'Good evening');
INSERT INTO words VALUES ('uG0EPcT3Jbhw', 2, 'table', 'fBpK4oTY-2rz', 1, 'Ben', 1767229497.5, 'Hello');
INSERT INTO words VALUES ('uG0EPcT3Jbhw', 3, 'note', 'RcgKMv6-OMg2', 0, 'Ada', 1767229497.75, 'Ben plays for Lyon');
INSERT INTO words VALUES ('uG0EPcT3Jbhw', 4, 'table', 'fBpK4oTY-2rz', 1, 'Ben', 1767229498.0, NULL);
INSERT INTO words VALUES ('p_-xrmq0HYbj', 1, 'table', 'RcgKMv6-OMg2', 0, 'Ada on the go', 1767229498.25, 'On the train');
INSERT INTO words VALUES ('p_-xrmq0HYbj', 2, 'note', 'RcgKMv6-OMg2', 0, 'Ada on the go', 1767229498.5, 'from the train');
INSERT INTO words VALUES ('vKcZwJ6NyNwF', 1, 'table', 'M3z8Np5ibmZ5', 0, '1', 1769735234.5, NULL);
INSERT INTO words VALUES ('B6er7VCxPjyE', 1, 'table', 'YSY3jG4Q5BTL', 2, 'Cleo', 1769735241.25, '@Ada look');
COMMIT;
