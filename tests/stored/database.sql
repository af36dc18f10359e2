BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('r1');
CREATE TABLE alert_subscriptions (
	id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	address BLOB NOT NULL, 
	state VARCHAR NOT NULL, 
	added FLOAT NOT NULL, 
	sent FLOAT, 
	failed FLOAT, 
	reason BLOB, 
	origin BLOB, 
	PRIMARY KEY (id), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE analyses (
	table_id VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE analyses_so_far (
	table_id VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE chat_messages (
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
INSERT INTO "chat_messages" VALUES('xMptIb3fh1uJ',1,'table','ip-DytUQRm4e',1,'Żaneta "Ada" O’Hara',1.79587322948448157309e+09,'I am Żaneta "Ada" O’Hara');
INSERT INTO "chat_messages" VALUES('HaNG5ngjDFMI',1,'note','ip-DytUQRm4e',0,'Żywia',1.79587322948872375487e+09,'I am Żywia');
INSERT INTO "chat_messages" VALUES('HaNG5ngjDFMI',2,'table','ip-DytUQRm4e/2',1,'Żora',1.79587322949020075798e+09,'I am Żora');
INSERT INTO "chat_messages" VALUES('C6Tx28uebgYP',1,'watch','ip-DytUQRm4e',NULL,'Żywia',1.79587322949303960801e+09,'I am Żywia');
INSERT INTO "chat_messages" VALUES('HaNG5ngjDFMI',3,'table','M-7W6NQeflI1',2,'Ben',1.79587322949515461921e+09,'Hallo');
CREATE TABLE component_owners (
	digest VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	added FLOAT NOT NULL, 
	text TEXT NOT NULL, 
	origin BLOB, 
	PRIMARY KEY (digest, person), 
	FOREIGN KEY(digest) REFERENCES component_sets (digest), 
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "component_owners" VALUES('60bb2eed06cbff3f98c97d6839f941ccbc18c73efd5f81d67f035e4a6391d149','ip-DytUQRm4e',1.79587322910951519014e+09,'# Żywia: Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "own-france-1"
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
',NULL);
INSERT INTO "component_owners" VALUES('2da8a006bcac5dbb9c94a16152ed769836ed398c964dfc78cacc5693f8b919fd','ip-DytUQRm4e',1.79587322915735340123e+09,'# Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "own-france-1"
# Made by Żywia.
title = { en = "Żywia: a map of France", de = "Unsere Frankreichkarte", fr = "Notre carte de France", nl = "Onze kaart van Frankrijk" }

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
',NULL);
CREATE TABLE component_sets (
	digest VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	text VARCHAR NOT NULL, 
	added FLOAT NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "component_sets" VALUES('cd5011f61da111c7cb59d23f28cdbcc8aee4a67db75c8dfe09d696aca319e68c','paris-connection','# Paris Connection: the components, set "france-1".
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
',1.79587322039822936056e+09);
INSERT INTO "component_sets" VALUES('60bb2eed06cbff3f98c97d6839f941ccbc18c73efd5f81d67f035e4a6391d149','paris-connection','# Żywia: Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "own-france-1"
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
',1.79587322910951519014e+09);
INSERT INTO "component_sets" VALUES('2da8a006bcac5dbb9c94a16152ed769836ed398c964dfc78cacc5693f8b919fd','paris-connection','# Paris Connection: the components, set "france-1".
#
# Every number of the game stands here once. Edit a copy, then run `spieltisch components check FILE`.
# Where each value comes from is said at the end, under [[provenance]]: printed (in a rulebook or on a public picture
# of the box''s own parts), reported (second-hand), example (a worked example in a rulebook), reconstructed (ours).

game = "paris-connection"
name = "own-france-1"
# Made by Żywia.
title = { en = "Żywia: a map of France", de = "Unsere Frankreichkarte", fr = "Notre carte de France", nl = "Onze kaart van Frankrijk" }

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
',1.79587322915735340123e+09);
CREATE TABLE confirmation_requests (
	recipient BLOB NOT NULL, 
	at FLOAT NOT NULL
);
CREATE TABLE device_codes (
	code_hash BLOB NOT NULL, 
	code BLOB NOT NULL, 
	person VARCHAR NOT NULL, 
	session BLOB NOT NULL, 
	shown FLOAT NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (code_hash), 
	UNIQUE (person), 
	FOREIGN KEY(person) REFERENCES people (id)
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
INSERT INTO "events" VALUES('C6Tx28uebgYP',1,1.795873229481738329e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2263613437656630393964306435653763633430653530613434386430643063363537363566353137396563396632633261613264323361663961383962653330222C22686F7374223A224D2D3757364E5165666C4931222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('C6Tx28uebgYP',2,1.795873229481738329e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('C6Tx28uebgYP',3,1.795873229481738329e+09,X'7B226576656E74223A22626F74736561746564222C2273656174223A312C22626F74223A2272616E646F6D222C226E616D65223A2247757374617665227D');
INSERT INTO "events" VALUES('C6Tx28uebgYP',4,1.795873229481738329e+09,X'7B226576656E74223A22626F74736561746564222C2273656174223A322C22626F74223A2272616E646F6D222C226E616D65223A22486572746861227D');
INSERT INTO "events" VALUES('C6Tx28uebgYP',5,1.795873229481738329e+09,X'7B226576656E74223A2273746172746564222C2273657475705F6472617773223A5B22626C61636B222C22626C7565222C22707572706C65222C2279656C6C6F77222C2279656C6C6F77222C22726564222C22707572706C65222C2279656C6C6F77222C22626C7565222C2279656C6C6F77222C22626C61636B222C22726564222C2262726F776E222C22707572706C65222C22707572706C65222C22726564222C2262726F776E222C22707572706C65222C22626C61636B222C22707572706C65222C2279656C6C6F77222C2262726F776E222C2262726F776E222C22707572706C65222C22726564222C2262726F776E222C22707572706C65222C22726564222C2262726F776E222C22726564222C2279656C6C6F77222C22726564222C22626C7565222C2262726F776E222C22707572706C65222C22626C61636B222C22736561742032225D7D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',1,1.79587322929182028772e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2232646138613030366263616335646262396339346131363135326564373639383336656433393863393634646663373863616363353639336638623931396664222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2231333761383665363664373664656466616264333230363966393963343931346466326330366166623830316465333437396132623539366538353166356234222C22686F7374223A2269702D4479745551526D3465222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',2,1.79587322929182028772e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',3,1.79587322929182028772e+09,X'7B226576656E74223A22736561746564222C2273656174223A312C22706572736F6E223A2269702D4479745551526D34652F32222C226E616D65223A22C5BB6F7261227D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',4,1.79587322929619884492e+09,X'7B226576656E74223A22736561746564222C2273656174223A322C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',5,1.79587322931027150159e+09,X'7B226576656E74223A22736561746564222C2273656174223A332C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D');
INSERT INTO "events" VALUES('HaNG5ngjDFMI',6,1.79587322931027150159e+09,X'7B226576656E74223A2273746172746564222C2273657475705F6472617773223A5B22626C7565222C22726564222C22626C7565222C2279656C6C6F77222C2262726F776E222C22707572706C65222C22626C61636B222C22626C61636B222C22726564222C22626C61636B222C2279656C6C6F77222C22626C7565222C22707572706C65222C22726564222C2279656C6C6F77222C2262726F776E222C22707572706C65222C22626C61636B222C22707572706C65222C22707572706C65222C22707572706C65222C22626C7565222C22626C61636B222C22726564222C22707572706C65222C2262726F776E222C22707572706C65222C22707572706C65222C2262726F776E222C2279656C6C6F77222C22707572706C65222C22726564222C22726564222C22626C61636B222C2279656C6C6F77222C2262726F776E222C22626C7565222C22707572706C65222C22736561742032225D7D');
INSERT INTO "events" VALUES('WdAkyWTGAi_F',1,1.79587322934052038194e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2264396539343235653365653136386136346638663164666237323461663531643264663335613765363631333732363264656430356439393433396163643934222C22686F7374223A2269702D4479745551526D3465222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('WdAkyWTGAi_F',2,1.79587322934052038194e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D');
INSERT INTO "events" VALUES('WdAkyWTGAi_F',3,1.79587322940558457369e+09,X'7B226576656E74223A22736561746564222C2273656174223A312C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('WhOuSzSJe_5u',1,1.79587322941976070401e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2238383432383765386638366338303964396636613333616439386263316162616335363238633735343233326535653264396466383030353435663861356536222C22686F7374223A2269702D4479745551526D3465222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('WhOuSzSJe_5u',2,1.79587322941976070401e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',1,1795873229.44621,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2261396133646538393363666433623030303133646234353661376437653765313831666537623639366237373636393535383230336130643734346263646232222C22686F7374223A224D2D3757364E5165666C4931222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',2,1795873229.44621,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',3,1.79587322944873976709e+09,X'7B226576656E74223A22736561746564222C2273656174223A312C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',4,1.79587322945352864268e+09,X'7B226576656E74223A22736561746564222C2273656174223A322C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',5,1.79587322945352864268e+09,X'7B226576656E74223A2273746172746564222C2273657475705F6472617773223A5B22626C7565222C22707572706C65222C2279656C6C6F77222C2279656C6C6F77222C2279656C6C6F77222C2262726F776E222C22626C7565222C2262726F776E222C2262726F776E222C22626C7565222C22726564222C22626C61636B222C22626C7565222C22707572706C65222C22707572706C65222C2279656C6C6F77222C22626C7565222C22726564222C22626C61636B222C22726564222C22707572706C65222C2279656C6C6F77222C2279656C6C6F77222C22626C61636B222C22707572706C65222C22626C61636B222C2262726F776E222C22626C61636B222C22726564222C22707572706C65222C2279656C6C6F77222C2262726F776E222C22626C7565222C22626C61636B222C22707572706C65222C22726564222C22736561742033225D7D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',6,1.7958732294654097557e+09,X'7B226576656E74223A226C656674222C2273656174223A317D');
INSERT INTO "events" VALUES('ZDvjAls1DX-X',7,1.79587322947319316863e+09,X'7B226576656E74223A227265706C61636564222C2273656174223A312C22626F74223A2272616E646F6D222C226E616D65223A2247757374617665227D');
INSERT INTO "events" VALUES('_jTe_nNLGMK2',1,1.79587322274322724337e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22656E6473222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A227265736572766564222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB616E657461205C224164615C22204FE2809948617261227D2C7B226B696E64223A227265736572766564222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D5D2C22636F6D6D69746D656E74223A2233633636333466346663656439636332633366643536373262656235356165626334663735626334646165353530356239326165616161366664616432316331222C22686F7374223A224D2D3757364E5165666C4931222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('_jTe_nNLGMK2',2,1.79587322274322724337e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('bxWoULQ-UrTm',1,1.79587322944301199913e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2238343534646535623366383634336237393838313237623037393137383136323665393161306331653839626436623632653830623533613465376533626432222C22686F7374223A2269702D4479745551526D3465222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('bxWoULQ-UrTm',2,1.79587322944301199913e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D');
INSERT INTO "events" VALUES('bxWoULQ-UrTm',3,1.79587322944301199913e+09,X'7B226576656E74223A22626F74736561746564222C2273656174223A312C22626F74223A2272616E646F6D222C226E616D65223A2247757374617665227D');
INSERT INTO "events" VALUES('bxWoULQ-UrTm',4,1.79587322944301199913e+09,X'7B226576656E74223A22626F74736561746564222C2273656174223A322C22626F74223A2272616E646F6D222C226E616D65223A22486572746861227D');
INSERT INTO "events" VALUES('bxWoULQ-UrTm',5,1.79587322944301199913e+09,X'7B226576656E74223A2273746172746564222C2273657475705F6472617773223A5B22626C7565222C22626C7565222C22726564222C22707572706C65222C22707572706C65222C2262726F776E222C2279656C6C6F77222C22707572706C65222C22707572706C65222C22626C7565222C22707572706C65222C22626C61636B222C22726564222C22626C61636B222C22626C61636B222C22726564222C2262726F776E222C22726564222C2262726F776E222C22626C61636B222C22707572706C65222C2279656C6C6F77222C22726564222C22726564222C22626C61636B222C22707572706C65222C22626C7565222C2262726F776E222C22626C61636B222C22707572706C65222C22626C7565222C22707572706C65222C2279656C6C6F77222C22626C61636B222C2262726F776E222C22726564222C22736561742033225D7D');
INSERT INTO "events" VALUES('cB-PQmHHbdSk',1,1.79587322942916393277e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22676F6573206F6E222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2235356630303430383133643562653665373163663232303333656464613730643465656463386566343037353765663331663564393233396336303063313136222C22686F7374223A2269702D4479745551526D3465222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('cB-PQmHHbdSk',2,1.79587322943731355663e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('cB-PQmHHbdSk',3,1.79587322943992948529e+09,X'7B226576656E74223A22736561746564222C2273656174223A312C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',1,1.7958732203979957104e+09,X'7B226576656E74223A226F70656E6564222C2267616D65223A2270617269732D636F6E6E656374696F6E222C226F7074696F6E73223A7B226375745F6F6666223A22737472696374222C2273746174696F6E73223A22636C6F736564222C227374616E647374696C6C223A22656E6473222C226D656D6F72795F616964223A747275657D2C22636F6D706F6E656E7473223A2263643530313166363164613131316337636235396432336632386364626363386165653461363764623735633864666530396436393661636133313965363863222C22736561745F6F6666657273223A5B7B226B696E64223A226C696E6B227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22636F6D6D69746D656E74223A2263363137373637616633353663396235646539633663393334633736336137363832333239643063303030303964376536393565373762623739653730623966222C22686F7374223A224D2D3757364E5165666C4931222C2272756C65735F76657273696F6E223A22302E312E30227D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',2,1.7958732203979957104e+09,X'7B226576656E74223A22736561746564222C2273656174223A302C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',3,1.7958732204656977653e+09,X'7B226576656E74223A22736561746564222C2273656174223A312C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB616E657461205C224164615C22204FE2809948617261227D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',4,1.79587322047627902027e+09,X'7B226576656E74223A22736561746564222C2273656174223A322C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',5,1.79587322047627902027e+09,X'7B226576656E74223A2273746172746564222C2273657475705F6472617773223A5B22726564222C22726564222C2279656C6C6F77222C2279656C6C6F77222C22626C61636B222C22707572706C65222C22626C61636B222C22626C61636B222C22707572706C65222C2279656C6C6F77222C2262726F776E222C22626C61636B222C22707572706C65222C22726564222C22726564222C22626C7565222C2262726F776E222C22707572706C65222C2279656C6C6F77222C22626C61636B222C22726564222C22726564222C2279656C6C6F77222C2279656C6C6F77222C2262726F776E222C2262726F776E222C2279656C6C6F77222C2279656C6C6F77222C22726564222C2262726F776E222C22626C7565222C22707572706C65222C2279656C6C6F77222C22726564222C22626C61636B222C2262726F776E222C22736561742032225D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',6,1.79587322054161524767e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65205265696D73222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',7,1.79587322055382227897e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65204C696C6C65205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',8,1.79587322057788157467e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65204C696C6C65222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',9,1.7958732205936849117e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C652043616C616973222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',10,1.79587322060585236546e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C6520416D69656E732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',11,1.79587322061799311637e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C6520416D69656E73222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',12,1.79587322062668704983e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65205265696D73204E45222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',13,1.79587322063350415227e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65205265696D732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',14,1795873220.63798,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204D65747A222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',15,1.79587322064548230177e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65205265696D73205345222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',16,1.79587322065486526493e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C65204E616E63792057222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',17,1.7958732206655642986e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C65204E616E6379222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',18,1.795873220673473835e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C65205374726173626F7572672057222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',19,1.79587322067742896081e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C65205374726173626F757267222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',20,1.79587322068556141854e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C652054726F796573222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',21,1.79587322069752216343e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C652054726F7965732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',22,1.79587322070952653887e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65204E616E6379205357222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',23,1.79587322071759223933e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65204D756C686F757365204E57222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',24,1.79587322073347830774e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65205374726173626F757267205357222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',25,1.79587322076976156235e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420707572706C65204F726CC3A9616E732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',26,1.79587322077645897863e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204F726CC3A9616E73222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',27,1.7958732207890019417e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204C65204D616E732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',28,1.79587322079759049413e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204C65204D616E73204E45222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',29,1795873220.80951,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204361656E2045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',30,1.79587322081751537324e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420707572706C65204C65204861767265222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',31,1.79587322082961177828e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C65204361656E222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',32,1.79587322083282065394e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420707572706C652052656E6E6573204E45222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',33,1.79587322088604593272e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E20416D69656E732057222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',34,1.79587322089782118797e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E20526F75656E222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',35,1.79587322092892813681e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204361656E2045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',36,1.79587322093389034271e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204361656E205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',37,1.79587322094966459276e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E2052656E6E65732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',38,1.79587322096767497067e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E2052656E6E6573204E45222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',39,1.79587322098190498359e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E2043686572626F757267222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',40,1.79587322099139475818e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E205361696E742D4D616C6F222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',41,1.795873221015863657e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E2052656E6E65732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',42,1.79587322101970362658e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E2042726573742045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',43,1.7958732210293951035e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E204272657374222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',44,1.79587322103708529473e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E2052656E6E6573222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',45,1.79587322104335355755e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E204C6F7269656E74222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',46,1.7958732210495018959e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E2052656E6E6573205357222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',47,1.79587322105400133132e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E2052656E6E6573205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',48,1.79587322105933904652e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E20416E67657273222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',49,1.7958732210650269985e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204C65204D616E73222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',50,1.79587322108852863317e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204C65204D616E732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',51,1.79587322109261488911e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204E616E746573222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',52,1.79587322110238695139e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642062726F776E204E616E7465732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',53,1.79587322111932182308e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E20546F7572732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',54,1.79587322112974619864e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E20546F757273222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',55,1.79587322114155220988e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E20546F7572732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',56,1.79587322115365242958e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E20426F7572676573222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',57,1.79587322115661740303e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642062726F776E20426F75726765732045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',58,1.79587322116440677643e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642062726F776E2054726F796573205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',59,1.79587322116960382461e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F77204F726CC3A9616E732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',60,1795873221.17355,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F772054726F796573205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',61,1.79587322118159699443e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F772054726F7965732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',62,1.79587322118750786778e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F77205265696D73205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',63,1.79587322119155597685e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720426573616EC3A76F6E204E57222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',64,1.79587322119762182238e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77204D756C686F7573652057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',65,1.795873221201565504e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77204D756C686F757365204E57222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',66,1.79587322120443415637e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77205374726173626F7572672057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',67,1.79587322120738029484e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77204D756C686F757365222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',68,1.79587322121755075458e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77205374726173626F757267205357222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',69,1.79587322122572064404e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642079656C6C6F7720426F75726765732045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',70,1.79587322123364520067e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642079656C6C6F772044696A6F6E222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',71,1.79587322123768711092e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642079656C6C6F7720426573616EC3A76F6E222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',72,1.79587322124169778822e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642079656C6C6F7720426573616EC3A76F6E2045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',73,1.79587322124788713456e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C642079656C6C6F7720426F7572676573205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',74,1.79587322125237846374e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720426F7572676573205357222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',75,1.79587322125511264798e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720546F7572732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',76,1.79587322127235126494e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720506F6974696572732045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',77,1.7958732212784786225e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720506F697469657273222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',78,1.79587322128281450276e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C642079656C6C6F7720546F7572732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',79,1.79587322128959918018e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F7720506F6974696572732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',80,1.7958732212932972908e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F77204E616E746573205345222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',81,1.79587322136149430277e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C642079656C6C6F772044696A6F6E205357222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',82,1.79587322142192888259e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565204C696C6C65205345222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',83,1.79587322144445562361e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565205265696D73204E45222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',84,1.79587322146614217751e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565205265696D732045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',85,1.79587322148607540133e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565204E616E63792057222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',86,1.79587322157418847077e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565204E616E6379205357222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',87,1.79587322158277654647e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426573616EC3A76F6E204E57222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',88,1.79587322159876871109e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C7565204D756C686F7573652057222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',89,1.79587322161478781697e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426573616EC3A76F6E2045222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',90,1.79587322170200276369e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426573616EC3A76F6E205345222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',91,1.79587322172368574137e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426573616EC3A76F6E205357222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',92,1.79587322174929594998e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C75652044696A6F6E205357222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',93,1.79587322177803111072e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C756520426F7572676573205345222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',94,1795873221.81381,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C756520426F7572676573205357222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',95,1.79587322183568096163e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C756520506F6974696572732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',96,1.79587322198046135906e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C7565204C696D6F676573204E57222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',97,1.79587322204233098025e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565204C6120526F6368656C6C652045222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',98,1.79587322207027220728e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C756520506F6974696572732057222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',99,1.79587322212021088599e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C7565204C696D6F676573204E45222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',100,1.79587322213436222074e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C756520436C65726D6F6E742D46657272616E64204E57222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',101,1.79587322216138911244e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A226275696C6420626C756520436C65726D6F6E742D46657272616E64204E45222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',102,1.79587322221376538273e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C7565204C796F6E204E57222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',103,1.79587322222649502755e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C7565204C796F6E204E45222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',104,1.79587322223165178299e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426573616EC3A76F6E20534532222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',105,1795873222.24075,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C756520426F726465617578204E45222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',106,1.79587322225393652922e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A226275696C6420626C7565204C696D6F6765732057222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',107,1.79587322225987148279e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C7565204C696D6F676573222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',108,1.79587322226621294019e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C7565204C696D6F6765732045222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',109,1.79587322227812409402e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C756520436C65726D6F6E742D46657272616E64222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',110,1.79587322228693199157e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C7565205361696E742DC3897469656E6E65222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',111,1.79587322229071712489e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A226275696C6420626C7565204C796F6E222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',112,1.79587322229537153239e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A22747261646520707572706C6520666F72203120626C61636B222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',113,1.79587322244215059278e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A22747261646520707572706C6520666F72203120626C61636B222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',114,1.79587322247177195544e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A2274726164652062726F776E20666F72203120707572706C65222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',115,1.79587322248425149918e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A22747261646520707572706C6520666F7220312062726F776E222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',116,1.79587322257046246532e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A22747261646520707572706C6520666F72203120626C61636B222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',117,1.79587322267021608354e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A22747261646520707572706C6520666F72203120626C61636B222C226E6578745F73656174223A302C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',118,1.79587322267638158793e+09,X'7B226576656E74223A226D6F766564222C2273656174223A302C226D6F7665223A2274726164652062726F776E20666F72203120707572706C65222C226E6578745F73656174223A312C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',119,1.79587322269125652311e+09,X'7B226576656E74223A226D6F766564222C2273656174223A312C226D6F7665223A2274726164652062726F776E20666F72203120707572706C65222C226E6578745F73656174223A322C22706F696E7473223A5B6E756C6C2C6E756C6C2C6E756C6C5D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',120,1.79587322270208215712e+09,X'7B226576656E74223A226D6F766564222C2273656174223A322C226D6F7665223A2274726164652062726F776E20666F72203120707572706C65222C22706F696E7473223A5B33322C34342C35335D7D');
INSERT INTO "events" VALUES('xMptIb3fh1uJ',121,1.7958732227645394802e+09,X'7B226576656E74223A2272656D617463686F70656E6564222C227461626C65223A225F6A54655F6E4E4C474D4B32227D');
CREATE TABLE ladders (
	game VARCHAR NOT NULL, 
	seats INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	table_id VARCHAR NOT NULL, 
	PRIMARY KEY (game, seats)
);
CREATE TABLE leases (
	kind VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (kind, "key")
);
CREATE TABLE lobby_entries (
	person VARCHAR NOT NULL, 
	section INTEGER NOT NULL, 
	recency FLOAT NOT NULL, 
	table_id VARCHAR NOT NULL, 
	PRIMARY KEY (person, section, recency, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID

;
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.795873229481738329e+09,'C6Tx28uebgYP');
INSERT INTO "lobby_entries" VALUES('KvPiTLbA-e34',1,-1.79587322931027150159e+09,'HaNG5ngjDFMI');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.79587322931027150159e+09,'HaNG5ngjDFMI');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',0,-1.79587322931027150159e+09,'HaNG5ngjDFMI');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.79587322940558457369e+09,'WdAkyWTGAi_F');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',1,-1.79587322940558457369e+09,'WdAkyWTGAi_F');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',1,-1.79587322941976070401e+09,'WhOuSzSJe_5u');
INSERT INTO "lobby_entries" VALUES('KvPiTLbA-e34',0,-1.79587322947319316863e+09,'ZDvjAls1DX-X');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.79587322947319316863e+09,'ZDvjAls1DX-X');
INSERT INTO "lobby_entries" VALUES('KvPiTLbA-e34',1,-1.79587322274322724337e+09,'_jTe_nNLGMK2');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.79587322274322724337e+09,'_jTe_nNLGMK2');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',1,-1.79587322274322724337e+09,'_jTe_nNLGMK2');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',1,-1.79587322944301199913e+09,'bxWoULQ-UrTm');
INSERT INTO "lobby_entries" VALUES('KvPiTLbA-e34',1,-1.79587322943992948529e+09,'cB-PQmHHbdSk');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',1,-1.79587322943992948529e+09,'cB-PQmHHbdSk');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',1,-1.79587322943992948529e+09,'cB-PQmHHbdSk');
INSERT INTO "lobby_entries" VALUES('KvPiTLbA-e34',2,-1.7958732227645394802e+09,'xMptIb3fh1uJ');
INSERT INTO "lobby_entries" VALUES('M-7W6NQeflI1',2,-1.7958732227645394802e+09,'xMptIb3fh1uJ');
INSERT INTO "lobby_entries" VALUES('ip-DytUQRm4e',2,-1.7958732227645394802e+09,'xMptIb3fh1uJ');
CREATE TABLE mutes (
	table_id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	muted VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, person, muted), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "mutes" VALUES('HaNG5ngjDFMI','ip-DytUQRm4e','M-7W6NQeflI1');
CREATE TABLE outbox (
	table_id VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	message INTEGER NOT NULL, 
	kind VARCHAR NOT NULL, 
	subscription VARCHAR NOT NULL, 
	send_at FLOAT NOT NULL, 
	attempts INTEGER NOT NULL, 
	batch VARCHAR, 
	PRIMARY KEY (table_id, version, message, kind, subscription), 
	FOREIGN KEY(table_id) REFERENCES tables (id), 
	FOREIGN KEY(subscription) REFERENCES alert_subscriptions (id) ON DELETE CASCADE
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
	seen FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "people" VALUES('ip-DytUQRm4e','Żywia','en',X'7B227468656D65223A22222C22636F6E6669726D5F6D6F766573223A747275652C22616E696D6174696F6E5F7370656564223A226E6F726D616C222C227475726E5F736F756E64223A66616C73652C227475726E5F6E6F74696669636174696F6E223A66616C73652C22616C65727473223A7B227A6F6E65223A22555443222C2271756965745F66726F6D223A302C2271756965745F746F223A302C22617761795F6D696E75746573223A352C2270617573655F6D696E75746573223A307D2C2270696563655F736F756E6473223A66616C73652C22726174696E6773223A747275657D',1.79587322022341227536e+09,1.79587322022341227536e+09);
INSERT INTO "people" VALUES('M-7W6NQeflI1','Ben','en',X'7B227468656D65223A22222C22636F6E6669726D5F6D6F766573223A747275652C22616E696D6174696F6E5F7370656564223A226E6F726D616C222C227475726E5F736F756E64223A66616C73652C227475726E5F6E6F74696669636174696F6E223A66616C73652C22616C65727473223A7B227A6F6E65223A22555443222C2271756965745F66726F6D223A302C2271756965745F746F223A302C22617761795F6D696E75746573223A352C2270617573655F6D696E75746573223A307D2C2270696563655F736F756E6473223A66616C73652C22726174696E6773223A747275657D',1.79587322022948384287e+09,1.79587322022948384287e+09);
INSERT INTO "people" VALUES('KvPiTLbA-e34','Cid','en',X'7B227468656D65223A22222C22636F6E6669726D5F6D6F766573223A747275652C22616E696D6174696F6E5F7370656564223A226E6F726D616C222C227475726E5F736F756E64223A66616C73652C227475726E5F6E6F74696669636174696F6E223A66616C73652C22616C65727473223A7B227A6F6E65223A22555443222C2271756965745F66726F6D223A302C2271756965745F746F223A302C22617761795F6D696E75746573223A352C2270617573655F6D696E75746573223A307D2C2270696563655F736F756E6473223A66616C73652C22726174696E6773223A747275657D',1.79587322023201060292e+09,1.79587322023201060292e+09);
CREATE TABLE person_totals (
	person VARCHAR NOT NULL, 
	data BLOB NOT NULL, 
	PRIMARY KEY (person)
);
CREATE TABLE plans (
	table_id VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	data BLOB NOT NULL, 
	outcome BLOB, 
	PRIMARY KEY (table_id, person, number), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE played_games (
	person VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	table_id VARCHAR NOT NULL, 
	PRIMARY KEY (person, at, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID

;
CREATE TABLE ratings (
	person VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	seats INTEGER NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	PRIMARY KEY (person, game, seats)
)
 WITHOUT ROWID

;
CREATE TABLE reactions (
	table_id VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	person VARCHAR NOT NULL, 
	reaction VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, number, person, reaction), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "reactions" VALUES('HaNG5ngjDFMI',3,'ip-DytUQRm4e','like');
CREATE TABLE recovery_codes (
	prefix VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	code_hash BLOB NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (prefix), 
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
CREATE TABLE seat_holders (
	table_id VARCHAR NOT NULL, 
	seat INTEGER NOT NULL, 
	person VARCHAR NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "seat_holders" VALUES('_jTe_nNLGMK2',0,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('_jTe_nNLGMK2',1,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('_jTe_nNLGMK2',2,'KvPiTLbA-e34');
INSERT INTO "seat_holders" VALUES('xMptIb3fh1uJ',0,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('xMptIb3fh1uJ',1,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('xMptIb3fh1uJ',2,'KvPiTLbA-e34');
INSERT INTO "seat_holders" VALUES('HaNG5ngjDFMI',0,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('HaNG5ngjDFMI',1,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('HaNG5ngjDFMI',2,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('HaNG5ngjDFMI',3,'KvPiTLbA-e34');
INSERT INTO "seat_holders" VALUES('WdAkyWTGAi_F',0,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('WdAkyWTGAi_F',1,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('WhOuSzSJe_5u',0,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('cB-PQmHHbdSk',0,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('cB-PQmHHbdSk',1,'KvPiTLbA-e34');
INSERT INTO "seat_holders" VALUES('bxWoULQ-UrTm',0,'ip-DytUQRm4e');
INSERT INTO "seat_holders" VALUES('ZDvjAls1DX-X',0,'M-7W6NQeflI1');
INSERT INTO "seat_holders" VALUES('ZDvjAls1DX-X',2,'KvPiTLbA-e34');
INSERT INTO "seat_holders" VALUES('C6Tx28uebgYP',0,'M-7W6NQeflI1');
CREATE TABLE secrets (
	table_id VARCHAR NOT NULL, 
	secret BLOB NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "secrets" VALUES('xMptIb3fh1uJ',X'F57F68F58B5D86E2F292134E88371078E4A3ECB2DBB798E7914D59E8A045F811');
INSERT INTO "secrets" VALUES('_jTe_nNLGMK2',X'A4BE8F6819DB53865130C6CD9F4EA14EAD4907499CCC3EC7D9AC4D69EC19DBC3');
INSERT INTO "secrets" VALUES('HaNG5ngjDFMI',X'2A3372CE57634999D5485005CC0C15FFBB44CD9A5F2491C02C3B8452EAED32E6');
INSERT INTO "secrets" VALUES('WdAkyWTGAi_F',X'60D9EF5A2BAA921F3585832936D0EB00AD8A60D8E471E79E4575FEACB4020F57');
INSERT INTO "secrets" VALUES('WhOuSzSJe_5u',X'00F3BD829A8B070CE7472180FA5DD3F536F826767842B631A12447D0D68BEA07');
INSERT INTO "secrets" VALUES('cB-PQmHHbdSk',X'5D4A0997620ED6CB5CEEB1E80A7252067AA84AD4972E366169DDF775BE897A8F');
INSERT INTO "secrets" VALUES('bxWoULQ-UrTm',X'EB8E55D0A87C9B9D6287A503E679B8A02D79718C011D14BE9BB597D3A854832A');
INSERT INTO "secrets" VALUES('ZDvjAls1DX-X',X'ACC0A5E8DA43D684F01D7A9074A352987BE3E9BC2689B82891D1F037B84F4B69');
INSERT INTO "secrets" VALUES('C6Tx28uebgYP',X'8AC8063F4D0A00EF1CB151ED52EB03BC7B5B75FC5A10E0BF5D31BE2081530435');
CREATE TABLE sessions (
	token_hash BLOB NOT NULL, 
	person VARCHAR NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (token_hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "sessions" VALUES(X'258F3C566CC62CDE51124C7865472C499C72D0824F7ED8C3BC7E77E1554840E5','ip-DytUQRm4e',1.79587322022341227536e+09);
INSERT INTO "sessions" VALUES(X'FD97C4BFE9E192E058598B76096F775923C514F4E04FAF9208B10E9A5A7E0362','M-7W6NQeflI1',1.79587322022948384287e+09);
INSERT INTO "sessions" VALUES(X'60EF38BE3D17C3729C2B21BF9914B51C477239185F496DC87ACEFFAEBAAB93F2','KvPiTLbA-e34',1.79587322023201060292e+09);
CREATE TABLE settings (
	name VARCHAR NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "settings" VALUES('epoch',X'AF15AFF0D58A');
INSERT INTO "settings" VALUES('last_alive',X'313739353837333232302E30363933343134');
INSERT INTO "settings" VALUES('pauses',X'5B5D');
INSERT INTO "settings" VALUES('clock set',X'5B5D');
INSERT INTO "settings" VALUES('seen',X'7B22223A313739353837333232302E313037343037387D');
INSERT INTO "settings" VALUES('push key',X'2D2D2D2D2D424547494E2050524956415445204B45592D2D2D2D2D0A4D494748416745414D424D4742797147534D34394167454743437147534D3439417745484247307761774942415151674F313444673171492B573079477559730A744D3559326C56447A6F37706A51333456303766484B6C435339656852414E434141522F71393339786770744C5749424131595452704F442F466F38396A6F6F0A69664777396D4173324633632F5336356A724D745A79642B7A69365A4A57546B31694C4D346D706E426233516767653645754E54496935730A2D2D2D2D2D454E442050524956415445204B45592D2D2D2D2D0A');
INSERT INTO "settings" VALUES('link key',X'135EE3072FCEBD88552CB10CDD0E8EBEFBE2DF3823743E3B2D111514E2656A79');
INSERT INTO "settings" VALUES('address key',X'BFC3B9BCDFCDCBA494732EDC12F642F22FC72AEA7D77E9527764B448E21E25AE');
INSERT INTO "settings" VALUES('recovery key',X'7E41793987B4DD7174714E632C6C08B8AE45152D9C3BBCBAC150D2137DCE059B');
INSERT INTO "settings" VALUES('replayed_rules',X'36643135313261343264343637623938613137613763656333373239376138353631353738353238336636396664396530376264633466393165396663306331');
CREATE TABLE tables (
	id VARCHAR NOT NULL, 
	game VARCHAR NOT NULL, 
	host VARCHAR NOT NULL, 
	created FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	version INTEGER NOT NULL, 
	status VARCHAR NOT NULL, 
	summary BLOB NOT NULL, 
	origin BLOB, 
	deadline FLOAT, 
	duplicate VARCHAR, 
	free_seats INTEGER DEFAULT '0' NOT NULL, 
	uncounted INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('xMptIb3fh1uJ','paris-connection','M-7W6NQeflI1',1.7958732203979957104e+09,1.7958732227645394802e+09,121,'finished',X'7B22737461747573223A2266696E6973686564222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB616E657461205C224164615C22204FE2809948617261227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D5D2C22746F5F646563696465223A6E756C6C2C2277696E6E657273223A5B325D2C22686F7374223A224D2D3757364E5165666C4931222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,1);
INSERT INTO "tables" VALUES('_jTe_nNLGMK2','paris-connection','M-7W6NQeflI1',1.79587322274322724337e+09,1.79587322274322724337e+09,2,'open',X'7B22737461747573223A226F70656E222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A227265736572766564222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB616E657461205C224164615C22204FE2809948617261227D2C7B226B696E64223A227265736572766564222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D5D2C22746F5F646563696465223A6E756C6C2C2277696E6E657273223A5B5D2C22686F7374223A224D2D3757364E5165666C4931222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES('HaNG5ngjDFMI','paris-connection','ip-DytUQRm4e',1.79587322929182028772e+09,1.79587322931027150159e+09,6,'running',X'7B22737461747573223A2272756E6E696E67222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D34652F32222C226E616D65223A22C5BB6F7261227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D5D2C22746F5F646563696465223A312C2277696E6E657273223A5B5D2C22686F7374223A2269702D4479745551526D3465222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES('WdAkyWTGAi_F','paris-connection','ip-DytUQRm4e',1.79587322934052038194e+09,1.79587322940558457369e+09,3,'open',X'7B22737461747573223A226F70656E222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A226F70656E227D5D2C22746F5F646563696465223A6E756C6C2C2277696E6E657273223A5B5D2C22686F7374223A2269702D4479745551526D3465222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,1,0);
INSERT INTO "tables" VALUES('WhOuSzSJe_5u','paris-connection','ip-DytUQRm4e',1.79587322941976070401e+09,1.79587322941976070401e+09,2,'open',X'7B22737461747573223A226F70656E222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D2C7B226B696E64223A226F70656E227D2C7B226B696E64223A226F70656E227D5D2C22746F5F646563696465223A6E756C6C2C2277696E6E657273223A5B5D2C22686F7374223A2269702D4479745551526D3465222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,2,0);
INSERT INTO "tables" VALUES('cB-PQmHHbdSk','paris-connection','ip-DytUQRm4e',1.79587322942916393277e+09,1.79587322943992948529e+09,3,'open',X'7B22737461747573223A226F70656E222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D2C7B226B696E64223A226F70656E227D5D2C22746F5F646563696465223A6E756C6C2C2277696E6E657273223A5B5D2C22686F7374223A2269702D4479745551526D3465222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,1,0);
INSERT INTO "tables" VALUES('bxWoULQ-UrTm','paris-connection','ip-DytUQRm4e',1.79587322944301199913e+09,1.79587322944301199913e+09,5,'running',X'7B22737461747573223A2272756E6E696E67222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A2269702D4479745551526D3465222C226E616D65223A22C5BB79776961227D2C7B226B696E64223A22626F74222C226E616D65223A2247757374617665227D2C7B226B696E64223A22626F74222C226E616D65223A22486572746861227D5D2C22746F5F646563696465223A322C2277696E6E657273223A5B5D2C22686F7374223A2269702D4479745551526D3465222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES('ZDvjAls1DX-X','paris-connection','M-7W6NQeflI1',1795873229.44621,1.79587322947319316863e+09,7,'running',X'7B22737461747573223A2272756E6E696E67222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A22626F74222C226E616D65223A2247757374617665227D2C7B226B696E64223A22706572736F6E222C22706572736F6E223A224B765069544C62412D653334222C226E616D65223A22436964227D5D2C22746F5F646563696465223A322C2277696E6E657273223A5B5D2C22686F7374223A224D2D3757364E5165666C4931222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,0);
INSERT INTO "tables" VALUES('C6Tx28uebgYP','paris-connection','M-7W6NQeflI1',1.795873229481738329e+09,1.795873229481738329e+09,5,'running',X'7B22737461747573223A2272756E6E696E67222C227365617473223A5B7B226B696E64223A22706572736F6E222C22706572736F6E223A224D2D3757364E5165666C4931222C226E616D65223A2242656E227D2C7B226B696E64223A22626F74222C226E616D65223A2247757374617665227D2C7B226B696E64223A22626F74222C226E616D65223A22486572746861227D5D2C22746F5F646563696465223A312C2277696E6E657273223A5B5D2C22686F7374223A224D2D3757364E5165666C4931222C227761746368223A226F70656E222C22646561646C696E65223A6E756C6C2C226861735F73756273746974757465223A66616C73652C226475706C6963617465223A22222C2269735F7769746868656C64223A66616C73657D',NULL,NULL,NULL,0,0);
CREATE TABLE uploads (
	table_id VARCHAR NOT NULL, 
	person VARCHAR, 
	origin BLOB, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE used_challenges (
	challenge BLOB NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (challenge)
);
CREATE INDEX confirmation_requests_by_recipient ON confirmation_requests (recipient);
CREATE INDEX confirmation_requests_by_time ON confirmation_requests (at);
CREATE INDEX ratings_by_game ON ratings (game, seats);
CREATE INDEX tables_by_deadline ON tables (deadline);
CREATE INDEX tables_by_duplicate ON tables (duplicate);
CREATE INDEX tables_by_free_seats ON tables (changed) WHERE free_seats > 0;
CREATE INDEX tables_by_status ON tables (status, changed);
CREATE INDEX tables_uncounted ON tables (changed, id) WHERE uncounted > 0;
CREATE INDEX tables_without_host ON tables (changed, id) WHERE host = '';
CREATE INDEX ix_alert_subscriptions_person ON alert_subscriptions (person);
CREATE INDEX chat_messages_by_person ON chat_messages (person);
CREATE INDEX lobby_entries_by_table ON lobby_entries (table_id);
CREATE INDEX ix_passkeys_person ON passkeys (person);
CREATE INDEX plans_by_person ON plans (person);
CREATE INDEX played_games_by_table ON played_games (table_id);
CREATE INDEX results_by_game ON results (game, seats);
CREATE INDEX seat_holders_by_person ON seat_holders (person);
CREATE INDEX ix_sessions_person ON sessions (person);
CREATE INDEX ix_uploads_person ON uploads (person);
CREATE INDEX outbox_by_subscription ON outbox (subscription, send_at);
CREATE TABLE admin_links (
	token_hash BLOB NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (token_hash)
);
CREATE TABLE administrators (
	session BLOB NOT NULL, 
	person VARCHAR NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (session), 
	FOREIGN KEY(session) REFERENCES sessions (token_hash) ON DELETE CASCADE, 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX ix_administrators_person ON administrators (person);
CREATE TABLE bans (
	id VARCHAR NOT NULL, 
	person VARCHAR, 
	address BLOB, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (person), 
	UNIQUE (address)
);
CREATE TABLE admin_log (
	number INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	actor VARCHAR NOT NULL, 
	command_user VARCHAR NOT NULL, 
	act VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	PRIMARY KEY (number)
);
COMMIT;
